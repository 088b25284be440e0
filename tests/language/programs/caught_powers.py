"""Powers, quotients and functions of `math` in the body of a `try`: what they may raise is caught.

Their tangents may raise, too, but not inside of the `try`.
"""

import math

from tests.language.corpus import program


@program([(2.0, 1.5), (1e300, 2.5)], analytic=True)
def power_or_a_bound(x, a):
    try:
        y = x**a
    except OverflowError:
        y = 1e10 * a
    return y * 1e-3


@program([(2.0, 1.5), (1e300, 2.5)], wrt=(0, 1))
def returned_from_the_body(x, a):
    try:
        return 2.0 * x**a
    except OverflowError:
        return 3.0 * a


@program([(2.0, 1.5), (-3.0, 2.0)])
def several_steps(x, a):
    try:
        y = abs(x) ** a
        z = a / y
        w = math.sqrt(z) * x
    except (OverflowError, ZeroDivisionError):
        w = x * a
    return w * a


@program([(0.7,), (3.0,)])
def in_a_loop(x):
    s = x
    for k in range(4):
        try:
            s = math.log(s) + x
        except ValueError:
            s = s * s + k
        else:
            s = s * 0.9
        finally:
            s = s + 0.1
    return s
