"""What Python evaluates first: targets before what is added to them, a key before its value."""

import numpy as np

from tests.language.corpus import program
from tests.language.data import V3


class Account:
    def __init__(self, held):
        self.held = held
        self.total = 1.0
        self.count = 0

    def scale(self, v):
        self.held[0] = self.held[0] * v
        self.total = self.total * v
        return v

    def index(self):
        self.count += 1
        return self.count % 3


def scale(account, v):
    account.held[0] = account.held[0] * v
    account.total = account.total * v
    return v


def scale_first(z, v):
    z[0] = z[0] * v
    return v * v


def count(table, v):
    table["n"] += 1
    table["total"] = table["total"] * v
    return v


def buffered(buffer, v):
    buffer[0] = v * v
    return buffer[0] + buffer[1]


@program([(V3,)])
def element_of_what_a_helper_changes(x):
    y = x * 1.0
    account = Account(y)
    y[0] += scale(account, x[1])
    return np.sum(y * y)


@program([(V3,)])
def element_of_what_a_method_changes(x):
    y = x * 1.0
    account = Account(y)
    y[0] += account.scale(x[1])
    return np.sum(y * y)


@program([(V3,)])
def element_that_changes_in_a_view(x):
    y = x * 1.0
    z = y[:]
    y[0] += scale_first(z, x[1])
    return np.sum(y * y)


@program([(V3,)])
def element_that_changes_in_a_list(x):
    y = x * 1.0
    held = [y]
    y[0] += scale_first(held[0], x[1])
    held[0][0] += scale_first(y, x[1])
    return np.sum(y * y)


@program([(V3,)])
def attribute_that_a_method_changes(x):
    account = Account(x * 1.0)
    account.total += account.scale(x[0])
    account.held[1] += account.scale(x[2])
    return account.total * np.sum(account.held * x)


@program([(V3,)])
def attribute_of_an_object_in_a_list(x):
    account = Account(x * 1.0)
    held = [account]
    account.total += scale(held[0], x[0]) * x[1]
    return account.total * np.sum(x * x)


@program([(V3,)])
def index_that_a_helper_changes(x):
    table = {"total": 1.0, "n": 0}
    y = x * 1.0
    y[table["n"]] += count(table, x[1])
    y[table["n"]] *= count(table, x[1])
    y[table["n"] :] *= count(table, x[0])
    return table["total"] * np.sum(y * x)


@program([(V3,)])
def index_that_a_nested_function_changes(x):
    n = [0]

    def step(v):
        n[0] += 1
        return v * v

    y = x * 1.0
    y[n[0]] += step(x[1])
    y[n[0] - 1] *= step(x[0])
    return np.sum(y * y * y)


@program([(V3,)])
def index_that_a_method_changes(x):
    account = Account(x * 1.0)
    y = x * 1.0
    y[account.count] += x[account.index()]
    y[account.index()] += x[account.index() % 3] * x[account.count % 3]
    account.count += account.index()
    return np.sum(y * y * y) * account.count


@program([(V3,)])
def keys_and_values(x):
    account = Account(x)
    table = {account.index(): account.index(), account.index() + 7: account.index() * 10}
    return np.sum(x * x) * table[1] + x[0] * sum(k * v for k, v in table.items())


@program([(V3,)])
def updates_beside_a_buffer(x):
    y, buffer = x * 1.0, np.zeros(2)
    for i in range(3):
        y[i] += buffered(buffer, x[i]) * x[0]
        buffer[1] -= buffered(buffer, x[i])
    return np.sum(y * y)
