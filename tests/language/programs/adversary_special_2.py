"""Special methods, properties and descriptors of the user's that change something."""

import copy

import numpy as np

from tests.language.corpus import program

V4 = np.array([0.7, -1.3, 0.4, 1.1])


class Count:
    def __init__(self):
        self.n = 0.0
        self.b = np.ones(4)

    def __getitem__(self, i):
        self.n += 1.0
        return self.n

    def __mul__(self, o):
        self.n += 1.0
        return self.n * o

    def __rmul__(self, o):
        self.n += 1.0
        return self.n * o

    def __neg__(self):
        self.b *= 2
        return 3.0

    def __eq__(self, o):
        self.n += 1
        return True

    __hash__ = None

    def __iter__(self):
        self.n += 1
        self.b[1] += 3
        return iter([1.0, 2.0])

    def __str__(self):
        self.n += 1
        self.b += 1
        return "x"

    def __float__(self):
        self.n += 1
        self.b[0] += 1
        return self.n

    def __setitem__(self, i, v):
        self.b[i] = v * 2

    def __iadd__(self, o):
        self.b += o
        return self

    def __abs__(self):
        self.b[2] = 5.0
        return 2.0

    @property
    def next(self):
        self.n += 1.0
        return self.n

    def __lt__(self, o):
        self.b[3] += 1
        return True


class Base:
    @property
    def p(self):
        self.c[0] += 1
        return 2.0


class Child(Base):
    def __init__(self):
        self.c = np.ones(4)


@program([(V4, [Child(), Child()])], wrt=0)
def arg_list_prop(x, os):
    b = os[0].c
    s = np.sum(x * b)
    for o in os:
        k = o.p
        s = s * k
    return s * np.sum(x * b)


def make():
    return Child()


@program([(V4,)])
def made_by_helper(x):
    o = make()
    b = o.c
    s = np.sum(x * b)
    k = o.p
    return s * np.sum(x * b) * k


@program([(V4,)])
def in_branch(x):
    if x[0] > 0:
        o = Child()
    else:
        o = Count()
    if x[0] > 0:
        b = o.c
        s = np.sum(x * b)
        k = o.p
        return s * np.sum(x * b) * k
    return np.sum(x)


GO = Child()


@program([(V4,)], refusable=True)
def global_obj(x):
    GO.c[:] = 1.0
    s = np.sum(x * GO.c)
    k = GO.p
    return s * np.sum(x * GO.c) * k


@program([(V4,)])
def listed_obj(x):
    os = [Child(), Child()]
    b = os[0].c
    s = np.sum(x * b)
    k = os[0].p
    return s * np.sum(x * b) * k


@program([(V4,)])
def dict_obj(x):
    os = {"a": Child()}
    b = os["a"].c
    s = np.sum(x * b)
    k = os["a"].p
    return s * np.sum(x * b) * k


@program([(V4,)])
def nested_obj(x):
    class H:
        pass

    h = H()
    h.o = Child()
    b = h.o.c
    s = np.sum(x * b)
    k = h.o.p
    return s * np.sum(x * b) * k


class Holder:
    def __init__(self):
        self.o = Child()


@program([(V4,)])
def nested_obj2(x):
    h = Holder()
    b = h.o.c
    s = np.sum(x * b)
    k = h.o.p
    return s * np.sum(x * b) * k


@program([(V4, Holder())], wrt=0)
def nested_obj_arg(x, h):
    b = h.o.c
    s = np.sum(x * b)
    k = h.o.p
    return s * np.sum(x * b) * k


@program([(V4,)])
def loop_prop(x):
    o = Child()
    b = o.c
    s = 1.0
    for i in range(3):
        s = s * np.sum(x * b) * o.p
    return s


@program([(V4,)], refusable=True)
def while_prop(x):
    o = Count()
    s = 1.0
    while o.next < 4:
        s = s * x[0] * o.n
    return s


@program([(V4,)])
def comp_prop(x):
    o = Count()
    k = [o.next for i in range(3)]
    return x[0] * k[0] + x[1] * k[1] * x[2] * k[2] * o.n


@program([(V4,)])
def lambda_prop(x):
    o = Child()
    b = o.c
    f = lambda: o.p
    s = np.sum(x * b)
    k = f()
    return s * np.sum(x * b) * k


@program([(V4,)])
def def_prop(x):
    o = Child()
    b = o.c

    def f():
        return o.p

    s = np.sum(x * b)
    k = f()
    return s * np.sum(x * b) * k


class Doubling:
    def __init__(self):
        self.b = np.ones(4)

    def __str__(self):
        self.b *= 2.0
        return "x"


@program([(V4, Doubling())], wrt=0)
def array_of_argument_stored_then_method(x, o):
    b = o.b
    b[0] = 2.0
    s = np.sum(x * b)
    t = str(o)
    return s * np.sum(x * b) * len(t)


@program([(V4, Doubling())], wrt=0)
def copied_in_a_loop(x, o):
    s = np.sum(x * o.b)
    q = o
    for _ in range(2):
        q = copy.copy(q)
        t = str(q)
    return s * np.sum(x * o.b) * len(t)
