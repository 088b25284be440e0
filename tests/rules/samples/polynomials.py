"""Polynomials given by their coefficients."""

import numpy as np

from tests.rules.sample import Numbers, call

x = Numbers(15)
LENGTHS = ((3, 3), (2, 4), (4, 2), (1, 3), (3, 1), (1, 1))


def pairs():
    for m, n in LENGTHS:
        yield call(x(m), x(n))
        yield call(x.complex(m), x(n))
        yield call(x.complex(m), x.complex(n))
    yield call(1.5, x(3))
    yield call(x(3), 0.5)


def divisions():
    for m, n in ((5, 3), (4, 2), (3, 3), (4, 1), (2, 3)):
        yield call(x(m, low=0.5), x(n, low=0.5))
    yield call(x.complex(5) + 1, x.complex(3) + 1)


def fits():
    for degree in (0, 1, 2, 3):
        yield call(np.sort(x.apart(6)), x(6), degree)
        yield call(np.sort(x.apart(6)), x(6), degree, w=x(6, low=0.3))
        yield call(np.sort(x.apart(6)), x(6, 2), degree)
        yield call(np.sort(x.apart(5)), x(5, 2), degree, w=x(5, low=0.3))


APART = np.array([-1.3, 0.4, 1.1, 2.0])

SAMPLES = {
    np.polyval: [
        *(call(x(3), 1.5), call(x(4), x(5)), call(x(1), x(2)), call(x(3), x(2, 2))),
        *(call(x.complex(3), x.complex(2)), call(x(5), x(3)), call(x(2), np.asarray(0.3))),
        *(call(x.complex(3), x(2)), call(x(3), x(0)), call(x(3), x(2, 2, 2))),
    ],
    np.polyadd: [*pairs()],
    np.polysub: [*pairs()],
    np.polymul: [*(s for s in pairs() if np.ndim(s.args[0]) and np.ndim(s.args[1]))],
    np.polydiv: [*divisions()],
    np.polyder: [call(x(n), m) for n in (1, 2, 4, 5) for m in (0, 1, 2, 3)] + [call(x.complex(4))],
    np.polyint: [
        *(call(x(n), m) for n in (1, 3, 4) for m in (0, 1, 2)),
        *(
            call(x(3), 1, 0.5),
            call(x(3), 2, x(2)),
            call(x(3), k=1.5),
            call(x(3), m=2, k=[0.5, 1.0]),
        ),
        *(call(x.complex(3)), call(x(2), 3, x(3))),
    ],
    np.polyfit: [*fits()],
    np.roots: [
        *(call(np.poly(APART)), call(np.poly(APART[:2])), call(np.array([1.0, 0.3, 2.0]))),
        *(call(np.array([1.0, -2.0, 0.5, 3.0, 1.0])), call(x.complex(4) + 1)),
        *(call(np.array([2.0, -1.0])), call(np.array([1.0, 0.5, 0.0]))),
    ],
    np.poly: [
        *(call(x(3)), call(x(1)), call(x.complex(3)), call(APART), call(x(2, 2)), call(x(3, 3))),
        *(call(np.array([0.0, 0.5, 1.0])), call([1.0, 2.0, 2.0])),
    ],
}
