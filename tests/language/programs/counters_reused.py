"""Counters that a loop inside of a test of them uses again.

What a test says holds for the value that was tested: `y[i - 2]` counts from the end in the first
iterations of the inner loop, although the branch around it is taken for `i >= 3` alone.
"""

import numpy as np

from tests.language.corpus import program

V6 = np.array([0.28, 0.52, 0.36, 0.44, 0.32, 0.48])


@program([(V6,)], analytic=True)
def a_counter_used_again_below_its_test(x):
    n = len(x)
    y = x * 1.0
    s = 0.0
    for i in range(n):
        if i >= 3:
            for i in range(n):
                s = np.sin(s + y[i - 2] * y[i])
                y[i] = y[i - 2] * s
    return s + np.sum(y)


@program([(V6,)], analytic=True)
def counters_told_apart_and_used_again(x):
    n = len(x)
    y = x * 1.0
    s = 0.0
    for i in range(n):
        for j in range(n):
            if i != j:
                for i in range(n):
                    s = np.sin(s + y[i] * y[j])
                    y[j] = y[i] * s
    return s + np.sum(y)
