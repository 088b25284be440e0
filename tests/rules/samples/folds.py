"""The methods of ufuncs."""

import numpy as np

from tests.rules.sample import Numbers, call
from tests.rules.samples.reductions import MASK

x = Numbers(14)

FOLDED = (np.maximum, np.minimum, np.fmax, np.fmin)
LOGARITHMIC = (np.logaddexp, np.logaddexp2)


def reduced(*, several=True, **keywords):
    yield call(x.apart(4), **keywords)
    for axis in (0, 1, 2, -1, *((None, (0, 2), (-1, 0)) if several else ())):
        for keepdims in (False, True):
            yield call(x.apart(2, 3, 2), axis=axis, keepdims=keepdims, **keywords)
    yield call(x.apart(2, 3), 1, **keywords)
    yield call(x.apart(2, 3), **keywords)


def masked(**keywords):
    for axis in (0, 1, None):
        yield call(x.apart(2, 3), axis, where=MASK, **keywords)
        yield call(x.apart(2, 3), axis, where=MASK, keepdims=True, **keywords)


def scans():
    yield call(x.apart(5))
    yield call(x.apart(1))
    for axis in (0, 1, 2, -1):
        yield call(x.apart(2, 4, 3), axis)
    yield call(x.apart(3, 2))


def segments():
    for indices in ([0, 2, 4], [0], [3, 0, 2], [1, 4], np.array([0, 0, 3])):
        yield call(x.apart(5), indices)
        yield call(x.apart(5, 2), indices, 0)
        yield call(x.apart(2, 5), indices, axis=1)


def pairs():
    yield call(x(3), x(4))
    yield call(x.number(), x(3))
    yield call(x(3), x.number())
    yield call(x(2, 3), x(4))
    yield call(x(3), x(2, 2))
    yield call(x(0), x(2))


def positive():
    for sample in pairs():
        yield call(*(np.abs(operand) + 0.5 for operand in sample.args))


ADDED = [*reduced(), *reduced(initial=0.5), *masked(), call(x(0)), call(x.complex(2, 3), 1)]

SAMPLES = {
    np.add.reduce: [*ADDED, call(x(2, 3), 1, np.float64), call(x.complex(3), initial=1 + 2j)],
    np.multiply.reduce: [
        *(*ADDED, call(np.array([0.0, 2.0, 3.0])), call(np.array([[0.0, 2.0], [0.0, 3.0]]), 1)),
    ],
    np.subtract.reduce: [*reduced(several=False), call(x.complex(2, 3), 1)],
    np.hypot.reduce: [*reduced(), *reduced(initial=0.5), *masked()],
    np.add.accumulate: [*scans(), call(x.complex(3)), call(x(2, 3), 1, np.float64)],
    np.subtract.accumulate: [*scans(), call(x.complex(3))],
    np.multiply.accumulate: [*scans(), call(x.complex(3)), call(np.array([2.0, 0.0, 3.0]))],
    np.divide.accumulate: [*scans(), call(x.complex(3) + 1)],
    np.hypot.accumulate: [*scans()],
    np.add.reduceat: [*segments(), call(x.complex(4), [0, 2])],
    np.multiply.reduceat: [*segments(), call(x.complex(4), [0, 2])],
    np.add.outer: [*pairs(), call(x.complex(2), x.complex(3)), call(x(2), x.complex(3))],
    np.subtract.outer: [*pairs(), call(x.complex(2), x.complex(3)), call(x(2), x.complex(3))],
    np.multiply.outer: [*pairs(), call(x.complex(2), x.complex(3)), call(x(2), x.complex(3))],
    np.divide.outer: [*positive(), call(x.complex(2), x.complex(3) + 1)],
    np.hypot.outer: [*pairs()],
    np.arctan2.outer: [*positive()],
    np.power.outer: [*positive(), call(x.complex(2) + 1, x.complex(3))],
    np.float_power.outer: [*positive()],
}
SAMPLES[np.divide.reduce] = [*reduced(several=False), call(x.complex(2, 3), 1)]
SAMPLES[np.copysign.outer] = SAMPLES[np.nextafter.outer] = [*pairs()]
SAMPLES[np.heaviside.outer] = [*pairs(), call(np.array([0.0, 1.0]), x(3), wrt=("B",))]
SAMPLES[np.fmod.outer] = SAMPLES[np.remainder.outer] = [
    call(x(3, low=2.2, high=2.4), x(4, low=0.85, high=1.05)),
    call(x(2, 2, low=2.2, high=2.4), x(4, low=0.85, high=1.05)),
    call(2.3, x(2, low=0.85, high=1.05)),
    call(x(2, low=2.2, high=2.4), 0.9),
]
for ufunc in LOGARITHMIC:
    SAMPLES[ufunc.reduceat] = [*segments()]
    SAMPLES[ufunc.reduce] = [*reduced(), *reduced(initial=0.5), *masked()]
    SAMPLES[ufunc.accumulate] = [*scans()]
    SAMPLES[ufunc.outer] = [*pairs()]
for ufunc in FOLDED:
    worst = -5.0 if ufunc in (np.maximum, np.fmax) else 5.0
    SAMPLES[ufunc.reduce] = [
        *(*reduced(), *reduced(initial=worst), *reduced(initial=-worst), *masked(initial=worst)),
    ]
    SAMPLES[ufunc.accumulate] = [*scans()]
    SAMPLES[ufunc.reduceat] = [*segments()]
    SAMPLES[ufunc.outer] = [*pairs()]
