"""Built-in functions and the math module."""

import cmath
import math
import statistics

from tests.rules.sample import Numbers, call

x = Numbers(2)

SAMPLES = {
    max: [call(1.0, 2.0), call(2.0, 1.0, 0.5), call([1.0, 3.0, 2.0]), call((0.5, 0.2)), call(x(5))],
    min: [call(1.0, 2.0), call(2.0, 1.0, 0.5), call([1.0, 3.0, 2.0]), call((0.5, 0.2)), call(x(5))],
    sum: [
        *(call([1.0, 2.0, 3.0]), call((1.0, 2.0), 0.5), call(x(4)), call(x(3, 2))),
        *(call([x(2), x(2)]), call([x(2), x(3, 1)], 1.0), call([1, 2.0]), call(x(2, 3), x(3))),
    ],
    list: [call([1.0, 2.0]), call((1.0, 2.0)), call(x(3))],
    tuple: [call([1.0, 2.0]), call((1.0, 2.0)), call(x(3))],
    sorted: [call([3.0, 1.0, 2.0]), call((3.0, 1.0)), call(x(4))],
    math.log: [call(2.0), call(3.0, 2.0)],
    math.hypot: [call(1.0), call(3.0, 4.0), call(1.0, 2.0, -2.0)],
    **dict.fromkeys(
        (cmath.sin, cmath.cos, cmath.tan, cmath.asin, cmath.acos, cmath.atan, cmath.sinh),
        [call(0.5 + 0.3j), call(0.4 - 0.7j)],
    ),
    **dict.fromkeys(
        (cmath.cosh, cmath.tanh, cmath.asinh, cmath.acosh, cmath.atanh, cmath.exp, cmath.log10),
        [call(0.5 + 0.3j), call(-0.4 - 1.2j)],
    ),
    cmath.sqrt: [call(0.5 + 0.3j), call(-2.0 + 1j)],
    cmath.log: [call(0.5 + 0.3j), call(1.5 - 1j, 2.0)],
    cmath.phase: [call(0.5 + 0.3j), call(-1.5 - 1j)],
    cmath.rect: [call(0.5, 0.3), call(2.0, -1.5)],
    cmath.polar: [call(0.5 + 0.3j), call(-1.5 - 1j)],
    **dict.fromkeys(
        (statistics.mean, statistics.geometric_mean, statistics.fmean),
        [call([1.0, 2.5, 2.0]), call((1.0, 2.5)), call(x(4, low=0.2, high=2.0))],
    ),
    statistics.harmonic_mean: [
        *(
            call([1.0, 2.5, 2.0]),
            call(x(4, low=0.2, high=2.0)),
            call([1.0, 2.5, 2.0], [1.0, 2.0, 0.5]),
        ),
    ],
    **dict.fromkeys(
        (statistics.variance, statistics.pvariance, statistics.stdev, statistics.pstdev),
        [call([1.0, 2.5, 2.0]), call((1.0, 2.5)), call(x(4)), call([1.0, 2.5, 2.0], 1.5)],
    ),
    math.dist: [call([1.0, 2.0], [0.5, 3.0]), call((1.0, 2.0, 3.0), (0.0, 1.0, 5.0))],
    math.fsum: [call([1.0, 2.0]), call((1.0, 2.5)), call(x(3))],
    math.prod: [call([2.0, 3.0, 4.0]), call((2.0, 0.0, 4.0)), call([2.0, 3.0], start=1.5)],
}
if hasattr(math, "sumprod"):  # Python 3.12
    SAMPLES[math.sumprod] = [call([1.0, 2.0], [3.0, 4.0]), call((1.0, 2.0), [3, 4])]
