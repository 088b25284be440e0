"""Arithmetic operators, and the functions that mean the same."""

import math
import operator

import numpy as np

from autodiff.rules import d, elementwise, nondifferentiable
from autodiff.runtime import phase


@elementwise(np.add, operator.add)
def add(z, x, y):
    d[x] = d[z]
    d[y] = d[z]


@elementwise(np.subtract, operator.sub)
def subtract(z, x, y):
    d[x] = d[z]
    d[y] = -d[z]


@elementwise(np.multiply, operator.mul)
def multiply(z, x, y):
    d[x] = d[z] * y
    d[y] = d[z] * x


@elementwise(np.divide, operator.truediv)
def divide(z, x, y):
    scaled = d[z] / y
    d[x] = scaled
    d[y] = -scaled * z


@elementwise(np.power, np.float_power, operator.pow, pow, math.pow)
def power(z, x, y):
    d[x] = d[z] * (y * x ** np.where(y == 0, 1.0, y - 1))
    d[y] = d[z] * (z * np.log(np.where(x == 0, 1.0, x)))


@elementwise(np.remainder, operator.mod)
def remainder(z, x, y):
    d[x] = d[z]
    d[y] = -d[z] * (x // y)


@elementwise(np.divmod, divmod)
def quotient_and_remainder(z, x, y):
    d[x] = d[z][1]
    d[y] = -d[z][1] * z[0]


@elementwise(np.negative, operator.neg)
def negative(y, x):
    d[x] = -d[y]


@elementwise(np.positive, operator.pos)
def positive(y, x):
    d[x] = d[y]


@elementwise(np.absolute, np.fabs, abs, operator.abs, math.fabs, holomorphic=False)
def absolute(y, x):
    d[x] = d[y] * (np.sign(x) if np.isrealobj(x) else phase(x))


nondifferentiable(
    *(operator.floordiv, np.floor_divide),
    *(operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge),
    *(operator.and_, operator.or_, operator.xor, operator.invert, operator.not_),
    *(operator.lshift, operator.rshift, operator.truth, operator.is_, operator.is_not),
    *(operator.contains, operator.index),
    *(np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal),
    *(np.logical_and, np.logical_or, np.logical_xor, np.logical_not),
    *(np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.invert, np.left_shift, np.right_shift),
)
