"""Functions of numbers: their domains, from which the samples are made."""

import cmath
import math
import operator

import numpy as np

from tests.rules.sample import Numbers, call

REAL = (-1.5, 1.5)
POSITIVE = (0.3, 2.0)
UNIT = (-0.9, 0.9)
ABOVE = (1.2, 3.0)

# Primitive -> the interval of each operand.
DOMAINS = {
    **dict.fromkeys((np.add, operator.add, np.subtract, operator.sub), (REAL, REAL)),
    **dict.fromkeys((np.multiply, operator.mul), (REAL, REAL)),
    **dict.fromkeys((np.divide, operator.truediv), (REAL, POSITIVE)),
    **dict.fromkeys((np.power, np.float_power, operator.pow, pow, math.pow), (POSITIVE, REAL)),
    **dict.fromkeys((np.remainder, operator.mod, np.fmod, math.fmod), ((2.2, 2.4), (0.85, 1.05))),
    **dict.fromkeys((np.divmod, divmod), ((2.2, 2.4), (0.85, 1.05))),
    **dict.fromkeys((np.negative, operator.neg, np.positive, operator.pos), (REAL,)),
    **dict.fromkeys((np.absolute, np.fabs, abs, operator.abs, math.fabs), (REAL,)),
    **dict.fromkeys((np.sin, math.sin, np.cos, math.cos), (REAL,)),
    **dict.fromkeys((np.tan, math.tan), (UNIT,)),
    **dict.fromkeys((np.arcsin, math.asin, np.arccos, math.acos), ((-0.8, 0.8),)),
    **dict.fromkeys((np.arctan, math.atan, np.arcsinh, math.asinh), (REAL,)),
    **dict.fromkeys((np.arctan2, math.atan2), (REAL, POSITIVE)),
    **dict.fromkeys((np.sinh, math.sinh, np.cosh, math.cosh, np.tanh, math.tanh), (REAL,)),
    **dict.fromkeys((np.arccosh, math.acosh), (ABOVE,)),
    **dict.fromkeys((np.arctanh, math.atanh), ((-0.8, 0.8),)),
    **dict.fromkeys((np.exp, math.exp, np.exp2, np.expm1, math.expm1), (REAL,)),
    **dict.fromkeys((np.log, math.log, np.log2, math.log2, np.log10, math.log10), (POSITIVE,)),
    **dict.fromkeys((np.log1p, math.log1p), ((-0.6, 2.0),)),
    **dict.fromkeys((np.logaddexp, np.logaddexp2), (REAL, REAL)),
    **dict.fromkeys((np.sqrt, math.sqrt, np.cbrt, np.reciprocal), (POSITIVE,)),
    **dict.fromkeys((np.square, np.sinc, np.deg2rad, np.radians, math.radians), (REAL,)),
    **dict.fromkeys((np.rad2deg, np.degrees, math.degrees), (REAL,)),
    **dict.fromkeys((np.hypot,), (REAL, REAL)),
    np.i0: ((-4.0, 4.0),),
    **dict.fromkeys((np.maximum, np.minimum, np.fmax, np.fmin), ((-1.0, 1.0), (-0.97, 1.03))),
    **dict.fromkeys((np.copysign, math.copysign, np.nextafter, math.nextafter), (REAL, REAL)),
    **dict.fromkeys((np.heaviside,), (REAL, REAL)),
    **dict.fromkeys((np.modf, math.modf), ((0.1, 0.9),)),
    **dict.fromkeys((np.frexp, math.frexp), ((0.55, 0.95),)),
    **dict.fromkeys((np.real, np.imag, np.conjugate, np.real_if_close, np.nan_to_num), (REAL,)),
    **dict.fromkeys((math.erf, math.erfc, float), (REAL,)),
    **dict.fromkeys((math.gamma, math.lgamma), ((0.3, 6.0),)),
    math.remainder: ((2.1, 2.3), (0.85, 0.95)),
    complex: (REAL, REAL),
}
for name, domain in {"exp2": (REAL,), "cbrt": (POSITIVE,), "fma": (REAL, REAL, REAL)}.items():
    if hasattr(math, name):  # Python 3.11, 3.11, 3.13
        DOMAINS[getattr(math, name)] = domain

for (
    name
) in "sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp log log10 sqrt".split():
    DOMAINS[getattr(cmath, name)] = DOMAINS[getattr(math, name)]

# Those that take complex numbers, beside real ones.
COMPLEX = (
    *(np.add, np.subtract, np.multiply, np.divide, operator.mul, operator.truediv),
    *(np.negative, np.positive, np.sin, np.cos, np.tan, np.arcsin, np.arctan, np.sinh, np.cosh),
    *(np.tanh, np.arcsinh, np.arctanh, np.exp, np.expm1, np.log, np.log2, np.log10, np.log1p),
    *(np.sqrt, np.square, np.reciprocal, np.absolute, abs, np.real, np.imag, np.conjugate),
    *(np.angle, np.nan_to_num, np.exp2, np.arccos, np.arccosh),
)

ONLY_NUMBERS = {float, complex, pow} | {
    f for f in DOMAINS if getattr(f, "__module__", "") in ("math", "cmath")
}
ONLY_NUMBERS -= {pow}

# Shapes of the operands: (), numbers, equal shapes, broadcast pairs, empty arrays.
_UNARY = [(None,), ((),), ((3,),), ((2, 3),), ((0,),)]
_BINARY = [
    *((None, None), ((), ()), ((3,), (3,)), ((2, 3), (2, 3)), ((3,), None), (None, (3,))),
    *(((2, 1), (3,)), ((3,), (2, 3)), ((1,), (4,)), ((2, 3), ()), ((2, 1, 2), (3, 1))),
    *(((0,), (0,)), ((0, 3), (3,)), ((1, 1), (2,))),
]


def _samples(function, domain):
    x = Numbers(len(DOMAINS))
    if function in ONLY_NUMBERS:
        forms = [(None,) * len(domain)] * 3
    else:
        forms = _UNARY if len(domain) == 1 else _BINARY
    for form in forms:
        operands = []
        for shape, (low, high) in zip(form, domain, strict=True):
            value = x(*(shape or ()), low=low, high=high)
            operands.append(float(value) if shape is None else np.asarray(value))
        yield call(*operands)


def _complex_samples(function):
    x = Numbers(7)
    count = 1 if function is np.angle else len(DOMAINS[function])
    yield call(*(complex(x.complex()) + 0.5 for _ in range(count)))
    yield call(*(x.complex(3) + 0.5 for _ in range(count)))
    if count == 2:
        yield call(x.complex(2, 1), x.complex(3) + 1)
        yield call(x(3), x.complex(2, 3) + 1)
        yield call(x.complex(2, 3), x(3) + 1.5)


SAMPLES = {function: list(_samples(function, domain)) for function, domain in DOMAINS.items()}
for function in COMPLEX:
    SAMPLES.setdefault(function, []).extend(_complex_samples(function))

x = Numbers(1)
for function in (np.power, operator.pow, np.float_power):
    SAMPLES[function] += [
        *(call(x(3), 3), call(x.number(), 2), call(-1.5, 3)),
        *(call(x(3), 2.0, wrt=("x",)), call(x(2, 3), -1.0, wrt=("x",))),
        *(call(x(3), np.array([0.0, 1.0, 2.0]), wrt=("x",)), call(2, x(3)), call(2.0, x(2, 2))),
        *(call(x(3), 0), call(x(3), 1), call(np.array([0.0, 1.0]), 2), call(x.complex(3), 2)),
        *(call(x.complex(3), x.complex(3)), call(x.complex(2, 1), 3)),
    ]
SAMPLES[math.log] += [call(1.7, 2.5), call(1.7, 10)]
SAMPLES[np.clip] = [
    *(call(x(5), -0.5, 0.5), call(x(5), -0.5, None), call(x(5), None, 0.5)),
    *(call(x(2, 3), x(3, low=-0.9, high=-0.3), x(2, 1, low=0.2, high=0.8)),),
    *(call(x.number(), -0.2, 0.2), call(x(4), a_min=-0.4, a_max=0.1)),
]
SAMPLES[np.where] = [
    *(call(x(4) > 0, x(4), x(4)), call(x(2, 3) > 0, x(3), 1.5), call(True, x(2), x(2))),
    *(call(x(2, 1) > 0, x(3), x(2, 3)), call(x(3) > 0, x.complex(3), x(3)), call(x(3), x(3), 0.0)),
]
SAMPLES[np.nan_to_num] += [call(np.array([np.nan, 1.0, np.inf, -2.0]), nan=1.0, posinf=2.0)]
for function in (np.ldexp, math.ldexp):
    SAMPLES[function] = [call(0.7, 3), call(-0.3, -2)]
SAMPLES[np.ldexp] += [call(x(3), np.array([1, 2, 3])), call(x(2, 1), np.array([1, 2, 3]))]
SAMPLES[np.angle] += [call(x.complex(3), deg=True)]
