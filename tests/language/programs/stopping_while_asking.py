"""Loops that ask an object whether to go on, and that stop or go on inside as well."""

import numpy as np

from tests.language.corpus import program
from tests.language.data import V3


class Stepper:
    def __init__(self):
        self.state = np.ones(3)
        self.n = 0

    def step(self, x):
        self.state = self.state * x
        self.n += 1
        return np.sum(self.state)


@program([(V3,)])
def stopped(x):
    b = Stepper()
    while b.step(1.5 + x) < 400.0:
        b.state = b.state + x
        if b.state[1] > 9.0:
            break
    return np.sum(b.state**2)


@program([(V3,), (V3 + 2.0,)])
def stopped_continued_or_ended(x):
    b = Stepper()
    while b.step(1.5 + x) < 400.0:
        b.state = b.state + x
        if b.state[0] > 20.0:
            b.state = b.state * 2.0
            break
        if b.n == 2:
            continue
        b.state = b.state * 1.1
    else:
        b.state = b.state * x
    return np.sum(b.state**2)


@program([(V3 + 1.1,), (V3 + 2.0,)])
def asked_behind_and(x):
    b = Stepper()
    t = 0.0
    for k in range(3):
        while b.n < 9 and b.step(1.5 + x) < 400.0:
            t = t + b.state[k] * x[k]
            if t > 10.0:
                b.state = b.state / x
                break
            if b.n % 2:
                continue
            t = t * x[0]
            if t > 8.0:
                break
        else:
            t = t - 1.0
    return np.sum(b.state**2) + t


@program([(V3,), (V3 + 2.0,)])
def asked_behind_not(x):
    b = Stepper()
    while not (b.n > 3 or b.step(1.5 + x) > 40.0):
        b.state = b.state + x
        if b.state[1] > 9.0:
            break
    if not (x[0] > 0.0 and b.step(x) > 3.0):
        b.state = b.state * x
    return np.sum(b.state**2)


@program([(V3,), (V3 + 2.0,)])
def asked_twice(x):
    b = Stepper()
    while b.n < 20 and b.step(1.5 + x) + b.step(x) < 100.0:
        b.state = b.state + x
        if b.state[0] > 20.0:
            break
        b.state = b.state * x[1]
    else:
        b.state = b.state * 3.0
    return np.sum(b.state**2)


@program([(V3,), (V3 + 2.0,)])
def returned_from_inside(x):
    b = Stepper()
    while b.step(1.5 + x) < 400.0:
        if b.n > 2:
            return np.sum(b.state) * x[1]
        b.state = b.state + x
    return np.sum(b.state**2)
