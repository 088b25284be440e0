"""Derivatives of functions that are defined inside the function that is differentiated."""

import numpy as np

from autodiff import elementwise_grad, grad, hessian, hvp, jacobian, jvp, value_and_grad, vjp
from tests.language.corpus import program

V3 = np.array([0.7, 1.3, 0.4])


def net(p, t):
    return np.sum(p[1] * np.tanh(p[0] * t + p[2]))


@program([(V3,)])
def of_a_lambda(x):
    k = x[0]
    return np.sum(grad(lambda y: k * np.sum(y**3))(x))


@program([(V3,)])
def of_a_nested_function_twice(x):
    k = x[0] * x[1]

    def f(y):
        z = y * k
        return np.sum(z**3)

    g = grad(f)
    return np.sum(g(x) * x) + np.sum(g(x * x))


@program([(V3,)])
def of_what_is_assigned_again(x):
    k = x[0]
    g = grad(lambda y: k * np.sum(y**3))
    a = np.sum(g(x))
    k = x[1] ** 2
    return a * np.sum(g(x))


@program([(V3,)])
def made_in_a_loop(x):
    s = 0.0
    for i in range(3):
        g = grad(lambda y: np.sum(y**2) * x[i] * i)
        s += np.sum(g(x) ** 2)
    return s


@program([(V3,)])
def residual_of_an_equation(p):
    u = lambda t: net(p, t)
    u_t = grad(u)
    u_tt = grad(u_t)
    r = 0.0
    for t in (0.1, 0.5, 0.9):
        r += (u_tt(t) + p[0] * u_t(t) + u(t)) ** 2
    return r


@program([(V3,)])
def residual_in_a_generator(p):
    def u(t):
        return net(p, t)

    return sum((grad(grad(u))(t) + u(t)) ** 2 for t in (0.1, 0.4))


def slope(f, y):
    return grad(f)(y)


@program([(V3,)])
def made_in_a_helper(x):
    return np.sum(slope(lambda y: np.sum(x * y**2), x * x))


@program([(V3,)])
def along_a_direction(x):
    f = lambda y, z: np.sum(x * y**3) * z
    value, dot = jvp(f, (x, x[0]), (None, x[1]))
    return value * dot + jvp(lambda y: np.sum(x * y**3), (x,), (x * x,))[1]


@program([(V3,)])
def pulled_back(x):
    k = x[2]

    def f(y, z):
        return k * y * z

    value, pullback = vjp(f, x, x * x)
    a, b = pullback(np.ones(3))
    return np.sum(a * b * value)


@program([(V3,)])
def jacobian_and_hessian(x):
    table = jacobian(lambda y: x * y**2)(x)
    return np.sum(table**2) + np.sum(hessian(lambda y: np.sum(x * y**3))(x) ** 2)


@program([(V3,)])
def product_and_value(x):
    value, g = value_and_grad(lambda y: np.sum(x * y**3))(x)
    product = hvp(lambda y: np.sum(x * y**3))(x, x * x)
    return value * np.sum(g) + np.sum(product)


@program([(V3,)])
def of_some_arguments(x):
    f = lambda a, b: np.sum(a * b**2) * x[0]
    a, b = grad(f, wrt=(0, 1))(x, x * x)
    return np.sum(a * b) + np.sum(grad(f, wrt="b")(x, x) * grad(f, wrt=1)(x * x, x))


@program([(V3,)])
def of_each_element(x):
    return np.sum(elementwise_grad(lambda y: y**3 * x)(x) ** 2)


@program([(V3,)])
def one_inside_another(x):
    def f(y):
        h = lambda z: np.sum(z**2 * y * x)
        return np.sum(grad(h)(y) ** 2)

    return np.sum(grad(f)(x))


@program([(V3,)])
def of_an_array_that_changes(x):
    w = np.zeros(3)
    w[0] = x[0]
    w[1:] = x[:2] * x[2]
    g = grad(lambda y: np.sum(w * y**2))
    a = np.sum(g(x))
    w[2] = x[0] ** 2
    return a * np.sum(g(x))


@program([(V3,)])
def of_a_list(x):
    ws = [x[0], x[1] * x[2]]
    g = grad(lambda y: sum(w * np.sum(y**2) for w in ws))
    return np.sum(g(x) ** 2)


@program([(V3,)])
def force_of_a_potential(x):
    def potential(q):
        return x[0] * q**2 + x[1] * q**4

    force = grad(potential)
    q, p = 1.0, x[2]
    for _ in range(5):
        p = p - 0.1 * force(q)
        q = q + 0.1 * p
    return q * p


@program([(V3,)])
def read_when_it_is_called(x):
    def g(y):
        return grad(lambda z: np.sum(z**2 * k))(y)

    k = x[1]
    return np.sum(g(x))


@program([(V3,)])
def with_a_default(x):
    g = grad(lambda y, k=2.0: k * np.sum(y**3) * x[0])
    return np.sum(g(x)) + np.sum(g(x, x[1]))


@program([(V3,)])
def without_a_derivative(x):
    g = grad(lambda t: t**3)
    return np.sum(x) * g(2.0)


@program([(V3,)], refusable=True)
def of_one_of_two(x):
    if x[0] > 0:
        f = lambda y: np.sum(x * y**2)
    else:
        f = lambda y: np.sum(x * y**3)
    return np.sum(grad(f)(x))


class Model:
    def __init__(self, w):
        self.w = w

    def energy(self, y):
        return np.sum(self.w * y**2)


@program([(V3,)], refusable=True)
def of_a_method(x):
    model = Model(x * x)
    g = grad(lambda y: model.energy(y))
    return np.sum(g(x) ** 2)
