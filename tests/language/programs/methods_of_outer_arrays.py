"""Methods of arrays from outside, read again after the array has changed; classes inside."""

import numpy as np

from tests.language.corpus import program
from tests.language.data import V4

WEIGHTS = np.array([1.0, 2.0])


@program([(V4,)], refusable=True)
def item_before_and_after(x):
    WEIGHTS[:] = [1.0, 2.0]
    y = x * WEIGHTS.item(0)
    WEIGHTS.fill(3.0)
    return np.sum(y * WEIGHTS.item(0))


@program([(V4,)], refusable=True)
def class_that_stores_into_what_is_around_it(x):
    y = np.ones(2) * x[0]

    class Store:
        def go(self):
            y[0] = x[1] * x[1]

    Store().go()
    return np.sum(y)


@program([(V4,)])
def class_that_has_nothing_to_do_with_it(x):
    class Options:
        scale = 2.0

    return np.sum(x * Options.scale)
