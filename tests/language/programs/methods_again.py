"""Special methods and properties that come to themselves again: they are called, not inlined."""

import numpy as np

from tests.language.corpus import program


class Table:
    """A mapping that finds its keys in either case, as those of libraries do."""

    def __init__(self, data):
        self._data = data

    def __getitem__(self, item):
        try:
            return self._data[item]
        except KeyError:
            pass
        return self[{key.lower(): key for key in self._data}[item]]


class Series:
    """`series[k]` by its recursion."""

    def __init__(self, c):
        self.c = c

    def __getitem__(self, k):
        if k == 0:
            return self.c
        return self.c * np.sin(self[k - 1])

    def __add__(self, k):
        if k <= 0:
            return self.c
        return self.c * np.cos(self + (k - 1))


class Chain:
    def __init__(self, x, rest=None):
        self.x = x
        self.rest = rest

    @property
    def total(self):
        if self.rest is None:
            return self.x**2
        return np.sin(self.x) * self.rest.total


TABLE = Table({"Abc": 2.0, "abd": 3.0})


@program([(0.7,)], analytic=True)
def mapping_that_asks_itself_again(x):
    return x * TABLE["abc"] + x**2 * TABLE["abd"]


@program([(0.7,)], analytic=True)
def items_by_recursion_of_a_new_object(x):
    return Series(x)[3]


@program([(Series(0.7),)])
def items_by_recursion_of_an_argument(series):
    return series[3] * series[2]


@program([(Series(0.7),)])
def sums_by_recursion(series):
    return series + 3


@program([(Chain(0.7, Chain(0.4, Chain(1.2))),)])
def property_of_the_rest_of_a_chain(chain):
    return chain.total


class Length:
    def __init__(self, value):
        self.value = value

    def __add__(self, other):
        return Length(self.value + 2.0 * other.value)

    def __radd__(self, other):
        return Length(3.0 * self.value + 5.0 * other.value)

    def __rsub__(self, other):
        return Length(7.0 * self.value)

    def __sub__(self, other):
        return type(self)(self.value - other.value)

    def __mul__(self, factor):
        return Length(self.value * factor)

    __rmul__ = __mul__


class Plain(Length):
    pass


class Reflected(Length):
    def __radd__(self, other):
        return Reflected(11.0 * self.value + 13.0 * other.value)


def made(cls, value):
    return cls(value)


@program([(0.4, 0.7)], analytic=True)
def the_operand_that_is_asked_first(p, x):
    total = (Length(p) + Plain(x)).value + (Plain(p) + Length(x)).value
    return total + (Length(p) + Reflected(x)).value * (Reflected(p) + Length(x)).value


@program([(0.4, 0.7)], analytic=True)
def operands_that_functions_make(p, x):
    left, right = made(Plain, p), Length(x)
    total = (left + right).value + (right + made(Reflected, p)).value
    return total + (made(Reflected, p) - right).value * (2.0 * Length(x) * p - Length(p) * x).value
