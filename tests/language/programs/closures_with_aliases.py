"""Functions inside that change what is around them under another name, where nothing flows in."""

import numpy as np

from tests.language.corpus import program
from tests.language.data import V4


@program([(V4,)], refusable=True)
def view_in_a_text(x):
    a = np.ones(2) * x[0]

    def bump():
        v = a[:2]
        v *= x[1]
        return 1.0

    text = f"{bump()}"
    return np.sum(a) * len(text)


@program([(V4,)], refusable=True)
def items_of_a_list_in_a_test(x):
    rows = [np.ones(2) * x[0], np.ones(2) * x[1]]

    def bump():
        for row in rows:
            row *= x[2]
        return -1.0

    while bump() > 0:
        pass
    return np.sum(rows[0]) * np.sum(rows[1])


@program([(V4,)])
def a_sum_of_its_own_is_no_store(x):
    a = np.ones(2) * x[0]

    def total():
        s = 0.0
        for k in range(2):
            s += k
        return s + len(a)

    n = int(total()) if total() > 0 else 1
    return np.sum(a) * n
