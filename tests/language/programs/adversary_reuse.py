"""Values that a variable held, and does not hold any more when the reverse sweep wants them."""

import numpy as np

from tests.language.corpus import program

V3 = np.array([0.7, -1.3, 0.4])


@program([(V3,)])
def holder_changes_after_the_loop(x):
    c = x**2
    s = np.zeros(3)
    for _ in range(3):
        s = np.sin(s) * x**3 + x
    c[0] = 5.0
    return np.sum(s) + np.sum(c)


@program([(V3,)])
def operand_changes_after_the_loop(x):
    c = x + 1.0
    d = c**2
    s = np.zeros(3)
    for _ in range(3):
        s = np.sin(s) * c**3 + x
    c *= 0.5
    return np.sum(s * d) + np.sum(c)
