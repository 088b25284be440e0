"""Built-in functions and the math module."""

import math

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
    math.dist: [call([1.0, 2.0], [0.5, 3.0]), call((1.0, 2.0, 3.0), (0.0, 1.0, 5.0))],
    math.fsum: [call([1.0, 2.0]), call((1.0, 2.5)), call(x(3))],
    math.prod: [call([2.0, 3.0, 4.0]), call((2.0, 0.0, 4.0)), call([2.0, 3.0], start=1.5)],
}
if hasattr(math, "sumprod"):  # Python 3.12
    SAMPLES[math.sumprod] = [call([1.0, 2.0], [3.0, 4.0]), call((1.0, 2.0), [3, 4])]
