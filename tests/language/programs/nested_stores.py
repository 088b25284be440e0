"""Functions defined inside that store into several parts of a list, dict or object around them."""

from tests.language.corpus import program
from tests.language.data import V4


@program([(V4,)])
def swapped_in_a_list(x):
    pair = [x[0], x[1] * 2.0]

    def swap():
        pair[1], pair[0] = pair[0], pair[1]

    swap()
    return pair[0] + pair[1] ** 2


@program([(V4,)])
def swapped_in_a_dict_again_and_again(x):
    table = {"a": x[0], "b": x[1] * 2.0}

    def swap():
        table["a"], table["b"] = table["b"], table["a"] * x[2]

    for _ in range(3):
        swap()
    return table["a"] + table["b"] ** 2


class Pair:
    def __init__(self, a, b):
        self.a = a
        self.b = b


@program([(V4,)])
def swapped_in_an_object(x):
    pair = Pair(x[0], x[1] * 2.0)

    def swap():
        pair.a, pair.b = pair.b, pair.a

    swap()
    return pair.a + pair.b**2


@program([(V4,)])
def read_before_it_is_stored(x):
    pair = [x[0], x[1] * 2.0]

    def turn():
        first = pair[0]
        pair[0] = pair[1] * 3.0
        pair[1] = first
        return first * pair[0]

    y = turn()
    return y * pair[0] + pair[1] ** 2
