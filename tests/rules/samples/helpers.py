"""The helpers of generated code."""

import numpy as np

from autodiff import runtime
from tests.rules.sample import Numbers, call

x = Numbers(11)
A = x(3, 4)

SAMPLES = {
    runtime.unbroadcast: [
        *(call(x(2, 3), x(3), wrt=("g",)), call(x(2, 3), 1.5, wrt=("g",))),
        *(call(x(2, 3), x(2, 1), wrt=("g",)),),
    ],
    runtime.bessel_i1: [call(x(3, low=-4, high=4)), call(np.asarray(0.7)), call(np.array([0.0]))],
    runtime.unreduce: [
        *(call(1.5, x(3), wrt=("g",)), call(x(3), x(2, 3), 0, wrt=("g",))),
        *(call(x(2, 1), x(2, 3), 1, True, wrt=("g",)),),
    ],
    runtime.scatter: [
        *(call(1.5, x(3), 1, wrt=("g",)), call(x(2), x(3), [0, 0], wrt=("g",))),
        *(call(x(2, 4), A, slice(1, None), wrt=("g",)),),
    ],
    runtime.scatter_flat: [call(x(3), A, np.array([0, 5, 5]), wrt=("g",))],
    runtime.scatter_along: [call(A, A, np.argsort(A, 1), 1, wrt=("g",))],
    runtime.scatter_diagonal: [call(x(3), A, wrt=("g",)), call(x(2), A, -1, wrt=("g",))],
    runtime.undiff: [call(x(3), 1, 0), call(x(2, 3), 2, 1)],
}
