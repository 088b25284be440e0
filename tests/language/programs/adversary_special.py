"""Special methods, properties and descriptors of the user's that change something."""

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


class GA:
    def __init__(self):
        self.c = np.ones(4)

    def __getattr__(self, k):
        if k.startswith("_"):
            raise AttributeError(k)
        self.c[0] += 1
        return 2.0


class Desc:
    def __get__(self, o, t=None):
        o.c[1] += 1
        return 3.0


class WithDesc:
    d = Desc()

    def __init__(self):
        self.c = np.ones(4)


class SetP:
    def __init__(self):
        self.c = np.ones(4)

    @property
    def w(self):
        return self.c

    @w.setter
    def w(self, v):
        self.c[0] = v


class Sub(Count):
    pass


@program([(V4,)])
def item_counts(x):
    o = Count()
    return x[0] * o[0] + x[1] * o[0] + np.sin(x[2]) * o[1]


@program([(V4,)])
def item_counts_loop(x):
    o = Count()
    s = 1.0
    for i in range(4):
        s = s * x[i] * o[0]
    return s


@program([(V4,)])
def mul_counts(x):
    o = Count()
    k = o * 2.0
    s = x[0] * k
    k = 2.0 * o
    return s * x[1] * k + (o * 1.0)


@program([(V4,)])
def neg_effect(x):
    o = Count()
    s = np.sum(x * o.b)
    k = -o
    return s * np.sum(x * o.b) * k


@program([(V4,)])
def eq_effect(x):
    o = Count()
    t = o == 3
    return x[0] * o.n * x[1] if t else x[0]


@program([(V4,)])
def iter_effect(x):
    o = Count()
    b = o.b
    s = np.sum(x * b)
    for v in o:
        s = s * v * np.sum(x * b)
    return s * np.sum(x * b)


@program([(V4,)])
def str_effect(x):
    o = Count()
    b = o.b
    s = np.sum(x * b)
    t = f"{o}"
    u = str(o)
    return s * np.sum(x * b) * len(t + u)


@program([(V4,)])
def float_effect(x):
    o = Count()
    b = o.b
    s = np.sum(x * b)
    t = float(o)
    return s * np.sum(x * b) * t


@program([(V4,)])
def setitem_effect(x):
    o = Count()
    b = o.b
    s = np.sum(x * b)
    o[0] = 3.0
    return s * np.sum(x * b)


@program([(V4,)])
def iadd_effect(x):
    o = Count()
    b = o.b
    s = np.sum(x * b)
    o += 3.0
    return s * np.sum(x * b)


@program([(V4,)])
def abs_effect(x):
    o = Count()
    b = o.b
    s = np.sum(x * b)
    t = abs(o)
    return s * np.sum(x * b) * t


@program([(V4,)])
def prop_counts(x):
    o = Count()
    s = x[0] * o.next
    s = s * x[1] * o.next
    if o.next > 2:
        s = s * o.next
    return s * o.next


@program([(V4,)])
def prop_inherited(x):
    o = Child()
    s = np.sum(x * o.c)
    k = o.p
    return s * np.sum(x * o.c) * k


@program([(V4,)])
def prop_inherited2(x):
    o = Child()
    c = o.c
    s = np.sum(x * c)
    k = o.p
    return s * np.sum(x * c) * k


@program([(V4,)])
def getattr_effect(x):
    o = GA()
    c = o.c
    s = np.sum(x * c)
    k = o.zzz
    return s * np.sum(x * c) * k


@program([(V4,)])
def desc_effect(x):
    o = WithDesc()
    c = o.c
    s = np.sum(x * c)
    k = o.d
    return s * np.sum(x * c) * k


@program([(V4,)])
def setter_effect(x):
    o = SetP()
    c = o.c
    s = np.sum(x * c)
    o.w = 4.0
    return s * np.sum(x * c)


@program([(V4,)], refusable=True)
def sorted_objs(x):
    o = Count()
    p = Count()
    b = o.b
    s = np.sum(x * b)
    sorted([p, o])
    sorted([o, p])
    return s * np.sum(x * b)


@program([(V4,)])
def max_objs(x):
    o = Sub()
    p = Sub()
    b = o.b
    s = np.sum(x * b)
    q = max(o, p)
    r = max(p, o)
    return s * np.sum(x * b)


@program([(V4,)])
def in_list(x):
    o = Count()
    s = x[0] * o.n
    q = 3 in [o]
    return s * x[1] * o.n + x[2] * q


@program([(V4,)])
def chained(x):
    o = Count()
    b = o.b
    s = np.sum(x * b)
    q = 1 < 2 < 3 and o < 4
    return s * np.sum(x * b) * (1.0 + q)


@program([(V4,)])
def ternary_bool(x):
    class_ = Count()
    b = class_.b
    s = np.sum(x * b)
    q = 2.0 if -class_ else 3.0
    return s * np.sum(x * b) * q


@program([(V4, Count())], wrt=0)
def arg_prop(x, o):
    b = o.b
    s = np.sum(x * b)
    k = o.next
    t = str(o)
    return s * np.sum(x * b) * k * len(t)


@program([(V4, Count())], wrt=0)
def arg_neg(x, o):
    b = o.b
    s = np.sum(x * b)
    k = -o
    return s * np.sum(x * b) * k


@program([(V4, Child())], wrt=0)
def arg_prop_inh(x, o):
    b = o.c
    s = np.sum(x * b)
    k = o.p
    return s * np.sum(x * b) * k
