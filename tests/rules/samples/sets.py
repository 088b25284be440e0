"""Functions that choose elements by value."""

import numpy as np

from tests.rules.sample import Numbers, call, since

x = Numbers(16)
SHARED = x.apart(6)
ONE, TWO = SHARED[:4], SHARED[2:].copy()
COMMON = np.array([2, 4, 5])

# Of equal elements one is chosen: moving it alone would change how many there are. So all differ.


SAMPLES = {
    np.unique: [
        *(call(x.apart(5)), call(x.apart(2, 3)), call(x.apart(4), return_index=True), call(x(0))),
        *(call(x.apart(4), return_inverse=True), call(x.apart(4), True, True, True)),
        *(call(x.apart(4), return_counts=True), call(x.complex(3)), call([3.0, 1.0])),
        *(call(x.apart(3, 2), axis=0), call(x.apart(2, 4), axis=-1)),
        call(x.apart(2, 3, 2), True, axis=1),
        *since((2, 3), call(x.apart(5), sorted=True), call(x.apart(5), equal_nan=False)),
    ],
    np.union1d: [call(x.apart(3), x.apart(4)), call(x.apart(2, 2), x.apart(3)), call(x(0), x(2))],
    np.intersect1d: [
        call(x.apart(3), x.apart(4), wrt=("ar2",)),
        call(x.apart(3), x.apart(4), return_indices=True, wrt=("ar2",)),
    ],
    np.setdiff1d: [
        *(call(x.apart(3), x.apart(4)), call(x.apart(3), x(0)), call(np.array([1.0, 2.5]), COMMON)),
        call(x.apart(3), x.apart(4), assume_unique=True),
    ],
    np.setxor1d: [call(x.apart(3), x.apart(4)), call(x.apart(3), x(0)), call(x.apart(4), COMMON)],
    np.trim_zeros: [call(x(4)), call(x(4), "f"), call(x(4), "b"), call(x(1))],
}
SAMPLES[np.trim_zeros] += since((2, 2), call(x(2, 3), axis=0), call(x(2, 3), "f", axis=-1))
if hasattr(np, "unique_values"):  # NumPy 2.0
    for function in (np.unique_values, np.unique_all, np.unique_counts, np.unique_inverse):
        SAMPLES[function] = [call(x.apart(5)), call(x.apart(2, 3))]
