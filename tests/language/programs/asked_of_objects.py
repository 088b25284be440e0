"""Methods and properties of objects that change, asked in tests, ranges, slices and containers."""

import numpy as np

from tests.language.corpus import program
from tests.language.data import V3

SCALE = 2.0


def total(body):
    return float(np.sum(body.state))


class Body:
    def __init__(self, count):
        self.own_count = count
        self.steps = 0
        self.state = np.ones(3)
        self.allowed = [1, 2, 3]

    @property
    def count(self):
        return self.own_count

    @property
    def size(self):
        if self.own_count > 2:
            return 2
        return self.own_count

    def energy(self, power=2):
        return SCALE * np.sum(self.state**power)

    def excess(self, limit, *, weight=1.0):
        energy = self.energy()
        over = energy - limit
        if over < 0:
            return 0.0
        return over * weight

    def step(self, x):
        self.state = self.state * x
        self.steps += 1
        return np.sum(self.state)

    def scaled(self, v):
        return v * self.own_count

    def check(self, x, most=None, allowed=None):
        if len(x) != self.own_count:
            raise ValueError(f"{self.__class__.__name__}: {self.own_count}")
        if (most is not None) and (len(x) > most):
            raise ValueError(f"{self.__class__.__name__}: {most}")
        if (allowed is not None) and (len(x) not in allowed):
            raise ValueError(f"{self.__class__.__name__}: {allowed}")


@program([(V3,)])
def a_property_beside_a_check(x):
    body = Body(3)
    if body.count not in body.allowed:
        raise ValueError(f"{body.__class__.__name__} {body.allowed}!")
    body.check(x)
    body.check(x, 9, body.allowed)
    body.steps += 1
    return np.sum(x**2) * body.steps


@program([(V3,)])
def a_method_in_a_test(x):
    body = Body(3)
    body.state = body.state * x
    if body.energy() > 2:
        x = x * 2
    body.state = body.state * x
    return body.energy()


@program([(V3,)])
def a_method_in_the_test_of_a_loop(x):
    body = Body(3)
    body.state = body.state * x
    while body.energy() < 100:
        if x[0] > 5:
            body.state = body.state * 3
            continue
        body.state = body.state * (1 + x)
    return body.energy()


@program([(V3,)])
def statements_in_the_test_of_a_loop(x):
    body = Body(3)
    body.state = body.state * x
    while body.excess(50.0) == 0.0:
        body.state = body.state * (1 + x)
        if body.state[0] > 1e5:
            break
    return body.energy()


@program([(V3,)])
def a_range_of_a_property(x):
    body = Body(3)
    for i in range(body.size, body.size + body.count):
        body.state = body.state * x + i
        if body.excess(1000.0) > 0:
            break
    return np.sum(body.state)


@program([(V3,)])
def a_slice_up_to_a_property(x):
    body = Body(3)
    y = x[: body.size] * 1.5
    body.step(x)
    return np.sum(y**2) * body.steps + np.sum(body.state)


@program([(V3,)])
def an_index_by_a_method(x):
    body = Body(3)
    body.state = body.state * x
    y = x[int(body.scaled(body.scaled(0.2))) - 1]
    body.state = body.state * y
    return np.sum(body.state)


@program([(V3,)])
def a_comprehension(x):
    body = Body(3)
    body.state = body.state * x
    z = [v * body.count + body.energy() for v in x]
    body.steps += 1
    return sum(z)


@program([(V3,)])
def a_lambda(x):
    body = Body(3)
    f = lambda v: v * body.energy(3)  # noqa: E731
    body.state = body.state * x
    first = f(2.0)
    body.state = body.state * x
    return first + f(1.0)


@program([(V3,)])
def a_loop_that_only_asks(x):
    body = Body(3)
    while body.step(1.5 + x) < 40.0:
        pass
    return np.sum(body.state**2)


@program([(V3,)])
def a_loop_with_an_else(x):
    body = Body(3)
    while body.step(1 + x) < 40.0:
        body.state = body.state + x
    else:
        body.state = body.state * x
    return np.sum(body.state**2)


@program([(V3,)])
def a_step_that_is_skipped(x):
    body = Body(3)
    if body.step(1.4 + x) > 3 and body.step(x) > 0:
        body.state = body.state + x
    if body.state[0] > 1e3 and body.step(x) > 0:
        body.state = body.state - x
    return np.sum(body.state**2)


@program([(V3,)])
def a_method_that_is_skipped(x):
    body = Body(3)
    if x[0] > 3 or body.excess(1.0, weight=2.0) > 0:
        body.state = body.state * x
    return np.sum(body.state**2)


@program([(V3,)])
def a_helper_that_is_given_the_object(x):
    body = Body(3)
    body.state = body.state * x
    if total(body) > 1:
        x = 2 * x
    body.state = body.state * x
    return np.sum(body.state)


@program([(V3,)])
def an_endless_loop(x):
    body = Body(3)
    while True:
        if body.step(1.2 + x) > 10 or body.steps > body.count + 5:
            break
    assert body.energy() > 0, body.size
    return np.sum(body.state)


@program([(V3,)])
def a_property_in_a_dict(x):
    body = Body(3)
    table = {"a": body.size, "b": x}
    body.steps += 1
    return np.sum(table["b"][: table["a"]] ** 2) * body.steps


@program([(V3,)])
def a_test_that_is_turned_round(x):
    body = Body(3)
    if not body.excess(1e3) or body.count:
        return np.sum(x**body.size)
    body.steps += 1
    return np.sum(body.state)
