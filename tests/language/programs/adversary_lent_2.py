"""Memory that helpers hand out, keep or change; managers that change memory."""

import numpy as np

from tests.language.corpus import program

V4 = np.array([0.7, -1.3, 0.4, 1.1])


@program([(V4,)], refusable=True)
def contextlib_(x):
    import contextlib

    b = np.ones(4)

    @contextlib.contextmanager
    def cm():
        b[0] = 4.0
        yield
        b[1] = 6.0

    s = np.sum(x * b)
    with cm():
        s = s * np.sum(x * b)
    return s * np.sum(x * b)


@program([(V4,)], refusable=True)
def exitstack(x):
    import contextlib

    b = np.ones(4)
    s = np.sum(x * b)
    with contextlib.ExitStack() as st:
        st.callback(b.fill, 3.0)
        s = s * np.sum(x * b)
    return s * np.sum(x * b)
