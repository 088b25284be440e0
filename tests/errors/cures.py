"""Programs that meet a refusal, and the same with the cure of its message applied.

`wrong()` is refused with a cure of this text (`{}` stands for what is filled in); `right()` does
what the cure says, and what it gives is compared with differences or with what it has to be.
"""

from __future__ import annotations

import tempfile
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import integrate, optimize

import autodiff as ad
from autodiff import (
    check_grads,
    checkpointed,
    custom,
    d,
    grad,
    implicit,
    jacobian,
    jvp,
    no_grad,
    vjp,
)

X = np.array([0.5, 1.0, 2.0])


@dataclass(frozen=True)
class Cure:
    """What a cure says, and two programs. native: they need Numba. followed: runs are."""

    text: str
    wrong: Callable[[], Any]
    right: Callable[[], Any]
    native: bool = False
    followed: bool = False


CURES: list[Cure] = []


def cured(text: str, native: bool = False, followed: bool = False) -> Callable[[type], type]:
    """Declare the two programs of a class."""

    def register(cls: Any) -> Any:
        CURES.append(Cure(text, cls.wrong, cls.right, native, followed))
        return cls

    return register


def total(x, k=3.0):
    return k * np.sum(x**2)


def squares(x):
    return x**2


# ---- what makes derivatives -------------------------------------------------------------------


@cured("wrap it in a function: grad(lambda {}: {}({})){}")
class OfC:
    def wrong():
        return grad(X.dot)(X)

    def right():
        np.testing.assert_allclose(grad(lambda x: X.dot(x))(X), X)


@cured(
    "pass wrt={}, another name, or a tuple of names; arguments of the function go to the "
    "derivative: grad(f)(x)"
)
class NoParameter:
    def wrong():
        return grad(total, wrt="xs")

    def right():
        np.testing.assert_allclose(grad(total, wrt="x")(X), 6.0 * X)
        slopes = grad(total, wrt=("x", "k"))(X, 2.0)
        np.testing.assert_allclose(slopes[0], 4.0 * X)
        np.testing.assert_allclose(slopes[1], np.sum(X**2))


@cured("check the gradient: check_grads(lambda *args: np.sum(grad(f)(*args)), *args, order=2)")
class ThirdOrder:
    def wrong():
        check_grads(total, X, order=3)

    def right():
        check_grads(lambda *args: np.sum(grad(total)(*args)), X, order=2)
        check_grads(lambda *args: np.sum(grad(cube)(*args)), 2.0, order=2)


def cube(x):
    return x**3


@cured("write residual(x, y), with the parameters of the solver before the solution")
class NoResidual:
    def wrong():
        return implicit(lambda y: y)(lambda x: x)

    def right():
        def solve(x):
            return float(np.sqrt(x))

        check_grads(implicit(lambda x, y: y * y - x)(solve), 2.0)


@cured("return one of these, or put the unknowns together with np.concatenate")
class NoRoot:
    def wrong():
        pair = implicit(lambda a, y: y[0] - a)(lambda a: (a, a))
        return grad(lambda a: pair(a)[0])(2.0)

    def right():
        def residual(a, y):
            return np.concatenate([y[:1] - a, y[1:] - a * a])

        both = implicit(residual)(lambda a: np.array([a, a * a]))
        check_grads(lambda a: np.sum(both(a)), 2.0)


@cured("call it once, or ask source_for(x) with arguments", followed=True)
class NoSourceYet:
    def wrong():
        return grad(lambda x, *more: more[0].rate * x * np.asarray(memoryview(x))).source

    def right():
        derivative = grad(lambda x: np.sum(x * x))
        assert derivative.source_for(X).startswith("def function_grad(x):")
        derivative(X)
        assert derivative.source == derivative.source_for(X)


@cured("say timeout={}, or give a function that it calls a derivative of its own: @custom(vjp=...)")
class TooLong:
    def wrong():
        return grad(lambda x: np.sum(np.sin(x) * x), timeout=1e-6)(X)

    def right():
        ruled = custom(squares, vjp=lambda y_bar, y, x: 2.0 * y_bar * x)
        np.testing.assert_allclose(grad(lambda x: np.sum(ruled(x)), timeout=100.0)(X), 2.0 * X)


@cured("say a number of seconds: timeout=10.0")
class NoTime:
    def wrong():
        return grad(total, timeout="soon")

    def right():
        np.testing.assert_allclose(grad(total, timeout=10.0)(X), 6.0 * X)


@cured("choose another name; overwrite=True replaces a file")
class FileThere:
    def wrong():
        file = Path(tempfile.mkdtemp()) / "f.py"
        file.write_text("something else")
        derivative = grad(total)
        derivative(X)
        derivative.save(file)

    def right():
        file = Path(tempfile.mkdtemp()) / "f.py"
        file.write_text("something else")
        derivative = grad(total)
        derivative(X)
        derivative.save(file.with_name("g.py"))
        derivative.save(file, overwrite=True)
        assert file.read_text() == file.with_name("g.py").read_text()


@cured("pass floats: np.asarray(value, float)")
class WholeParameter:
    def wrong():
        return ad.Parameter([1, 2])

    def right():
        weights = ad.Parameter(np.asarray([1, 2], float))
        ad.backward(total, weights)()
        np.testing.assert_allclose(weights.grad, [6.0, 12.0])


@cured("wrap the arrays that are learnt: Parameter(np.zeros(3))")
class NoParameters:
    def wrong():
        return ad.backward(total, X)

    def right():
        weights = ad.Parameter(np.zeros(3))
        ad.backward(lambda w: np.sum(np.exp(w)), weights)()
        np.testing.assert_allclose(weights.grad, np.ones(3))


@cured("pass it after the arguments: hvp(f)(x, v)")
class NoVector:
    def wrong():
        return ad.hvp(total)()

    def right():
        np.testing.assert_allclose(ad.hvp(total)(X, np.ones(3)), 6.0 * np.ones(3))


@cured("differentiate its real and its imaginary part, without holomorphic=True")
class NotHolomorphic:
    def wrong():
        return jacobian(np_conjugate, holomorphic=True)(1.0 + 2.0j)

    def right():
        def real(u, v):
            return np.real(np_conjugate(u + 1j * v))

        def imaginary(u, v):
            return np.imag(np_conjugate(u + 1j * v))

        assert jacobian(real, (0, 1))(1.0, 2.0) == (1.0, 0.0)
        assert jacobian(imaginary, (0, 1))(1.0, 2.0) == (0.0, -1.0)


def np_conjugate(z):
    return np.conj(z)


@cured("write jvp(f, (x,), (x_dot,))")
class NotInTuples:
    def wrong():
        return jvp(total, X, np.ones(3))

    def right():
        assert jvp(total, (X,), (np.ones(3),)) == (15.75, 21.0)


@cured("write vmap(f)(x)")
class VmapOfNone:
    def wrong():
        return ad.vmap(X)

    def right():
        np.testing.assert_allclose(ad.vmap(grad(total))(np.eye(3)), 6.0 * np.eye(3))


@cured("pass plain arrays: np.asarray(x); or None in in_axes")
class VmapOfMasked:
    def wrong():
        return ad.vmap(squares)(np.ma.masked_less(X, 1.0))

    def right():
        masked = np.ma.masked_less(X, 1.0)
        np.testing.assert_allclose(ad.vmap(squares)(np.asarray(masked)), X**2)


def scaled(x, k=1.0):
    return k * x * x


many = ad.vmap(scaled)


@cured("write the loop: np.stack([f(x[k]) for k in range(len(x))])")
class VmapInside:
    def wrong():
        return grad(lambda x: np.sum(many(x, k=2.0)))(X)

    def right():
        check_grads(lambda x: np.sum(np.stack([scaled(x[k], k=2.0) for k in range(len(x))])), X)


@cured("make it outside: `many = vmap(f)`, and call that")
class VmapMadeInside:
    def wrong():
        return grad(lambda x: np.sum(ad.vmap(scaled)(x)))(X)

    def right():
        check_grads(lambda x: np.sum(many(x)), X)


@cured(
    "ask the derivative of it: grad(many).source_for(x), or wrap one: vmap(grad(f)).source",
)
class SourceOfVmap:
    def wrong():
        return many.source

    def right():
        def each(x):
            return np.sum(many(x))

        assert grad(each).source_for(X).startswith("def each_grad(x):")
        slopes = ad.vmap(grad(scaled))
        slopes(X)
        assert slopes.source.startswith("def scaled_grad(x, k")


def pair(p):
    return p[0] * p[1]


def product_of(a, b):
    return a * b


@cured("pass the parts of `{}` as arguments of their own")
class JacobianOfAStructureInside:
    def wrong():
        return grad(lambda x: np.sum(jacobian(pair)((x, x**2))[0]))(X)

    def right():
        check_grads(lambda x: np.sum(jacobian(product_of)(x, x**2)), X)


# ---- rules of one's own -----------------------------------------------------------------------


@cured("write @custom(vjp=...)")
class CustomOfNone:
    def wrong():
        return custom(3)

    def right():
        check_grads(custom(vjp=lambda y_bar, y, x: 2.0 * y_bar * x)(squares), X)


@cured("pass vjp=..., jvp=..., or both: @custom(vjp=...)")
class CustomOfNothing:
    def wrong():
        return custom(squares)

    def right():
        check_grads(custom(squares, vjp=lambda y_bar, y, x: 2.0 * y_bar * x), X)
        rule = {"jvp": lambda x_dot, y, x: 2.0 * x * x_dot}
        check_grads(custom(squares, vjp=lambda y_bar, y, x: 2.0 * y_bar * x, **rule), X)


@cured("write it with these parameters: def {}({})")
class CustomOfOthers:
    def wrong():
        return custom(squares, vjp=lambda y_bar: y_bar)

    def right():
        def function_vjp(y_bar, y, x):
            return 2.0 * y_bar * x

        check_grads(custom(squares, vjp=function_vjp), X)


@cured("name the function whose rule this is: @adjoint(function)")
class RuleOfNone:
    def wrong():
        @ad.adjoint()
        def rule(y, x):
            d[x] = d[y]

    def right():
        @ad.adjoint(opaque_square)
        def rule(y, x):
            d[x] = d[y] * 2.0 * x

        check_grads(lambda x: opaque_square(x) * 1.0, 2.0)


def opaque_square(x):
    return float(str(x)) ** 2


# ---- what is written in a function ------------------------------------------------------------


@cured("write `with no_grad():`")
class NoGradWithMore:
    def wrong():
        def f(x):
            with no_grad(), np.errstate():
                y = x * x
            return np.sum(y * x)

        return grad(f)(X)

    def right():
        def f(x):
            with np.errstate():
                with no_grad():
                    y = x * x
            return np.sum(y * x)

        np.testing.assert_allclose(grad(f)(X), X**2)


@cured("write `for k in checkpointed(range(len(xs)), snapshots=...)` and take `xs[k]`")
class CheckpointedItems:
    def wrong():
        def f(x, xs):
            for a in checkpointed(xs, snapshots=2):
                x = np.sin(x * a)
            return x

        return grad(f)(0.5, X)

    def right():
        def f(x, xs):
            for k in checkpointed(range(len(xs)), snapshots=2):
                x = np.sin(x * xs[k])
            return x

        check_grads(f, 0.5, X)


@cured("pass the real part, np.real(x)")
class ComplexDistribution:
    def wrong():
        return grad(lambda x: abs(stats_norm(x + 0j)))(0.5)

    def right():
        check_grads(lambda x: abs(stats_norm(np.real(x + 0j))), 0.5)


def stats_norm(x):
    from scipy import stats

    return stats.norm.pdf(x)


@cured(
    "return a float (np.sum, .item(), abs ...), or use jacobian or vjp; with has_aux=True a pair "
    "(value, aux) is allowed"
)
class NoNumber:
    def wrong():
        return grad(squares)(X)

    def right():
        check_grads(lambda x: np.sum(squares(x)), X)
        np.testing.assert_allclose(jacobian(squares)(X), np.diag(2.0 * X))
        np.testing.assert_allclose(vjp(squares, X)[1](np.ones(3))[0], 2.0 * X)
        slope, aux = grad(lambda x: (np.sum(squares(x)), "aux"), has_aux=True)(X)
        assert aux == "aux"
        np.testing.assert_allclose(slope, 2.0 * X)


BEHIND = [1.0]


@cured("pass `{}` as an argument, or read what it holds before, in another function")
class ChangedOutside:
    def wrong():
        def f(x):
            BEHIND.insert(0, x)
            return x * BEHIND[0]

        return grad(f)(2.0)

    def right():
        def f(x, behind):
            behind.insert(0, x)
            return x * behind[0]

        assert grad(f)(2.0, [1.0]) == 4.0


@cured("pass `{}.copy()`")
class SharedArguments:
    def wrong():
        return grad(changed)(X, X)

    def right():
        np.testing.assert_allclose(grad(changed)(X.copy(), X), [X[1], 0.0, 0.0])


def changed(x, y):
    x[1] = 0.0
    x[2] = 0.0
    return x[0] * y[1]


@cured("pass complex numbers, or numbers of NumPy (np.float64), whose powers are nan")
class ComplexPower:
    def wrong():
        return grad(root)(-2.0)

    def right():
        with np.errstate(invalid="ignore"):
            assert np.isnan(grad(root)(np.float64(-2.0)))
        power = grad(lambda z: abs((z**0.5)) ** 2)(-2.0 + 0.0j)
        np.testing.assert_allclose(power, -1.0, atol=1e-12)


def root(x):
    return x**0.5


@cured("compute with complex numbers, `np.{}(x + 0j)`")
class BeyondReals:
    def wrong():
        return grad(lambda x: abs(np.emath.sqrt(x)) ** 2)(-2.0)

    def right():
        np.testing.assert_allclose(grad(lambda x: abs(np.sqrt(x + 0j)) ** 2)(-2.0), -1.0)


@cured("compute `{}` from the solution, with functions of NumPy")
class AnswerOfASolver:
    def wrong():
        def f(a):
            found = optimize.curve_fit(line, X, a * X + X**2)
            return found[1][0, 0]

        return grad(f)(2.0)

    def right():
        def f(a):
            data = a * X + a * a * X**2
            (slope,), _ = optimize.curve_fit(line, X, data)
            return np.sum((slope * X - data) ** 2) / 2 / np.sum(X * X)

        check_grads(f, 2.0, rtol=1e-5)


def line(t, slope):
    return slope * t


@cured(
    "find it with scipy.optimize.root, minimize or least_squares, or integrate.quad; or put {} in "
    "a function of its own with @implicit(residual) or @custom"
)
class Searched:
    def wrong():
        return grad(lambda a: optimize.brute(lambda y: (y[0] - a) ** 2, [(0, 3)])[0])(2.0)

    def right():
        def f(a):
            return optimize.minimize(lambda y: (y[0] - a * a) ** 2, [1.0]).x[0]

        def search(a):
            return float(optimize.brute(lambda y: (y[0] - a) ** 2, [(0, 3)])[0])

        check_grads(f, 1.2, rtol=1e-4)
        assert grad(implicit(lambda a, y: y - a)(search))(2.0) == 1.0


# ---- what is called inside of a function ------------------------------------------------------


@cured("write vjp(f, x) with a function that is defined outside")
class VjpWithOptions:
    def wrong():
        return grad(lambda x: vjp(cube, x, has_aux=False)[1](1.0)[0])(2.0)

    def right():
        assert grad(lambda x: vjp(cube, x)[1](1.0)[0])(2.0) == 12.0


@cured(
    "put the function in a file, a notebook cell or a doctest (what another process is sent, in a "
    "file), or give it a derivative with @adjoint"
)
class OfText:
    def wrong():
        space = {}
        exec("def f(x):\n    return x ** 3\n", space)
        return grad(space["f"])(2.0)

    def right():
        space = {}
        exec("def f(x):\n    return x ** 3\n", space)

        @ad.adjoint(space["f"])
        def rule(y, x):
            d[x] = d[y] * 3 * x**2

        f = space["f"]
        assert grad(lambda x: f(x) * 1.0)(2.0) == grad(cube)(2.0) == 12.0


@cured(
    "call a function that is a global, a closure variable or an argument, and give it a "
    "derivative with @custom if it is not Python"
)
class CallOfUnknown:
    def wrong():
        return grad(lambda x, f: weakref.ref(f)()(x) * x)(2.0, np.sin)

    def right():
        assert grad(lambda x, f: f(x) * x)(2.0, cube) == 32.0
        assert grad(lambda x: cube(x) * x)(2.0) == 32.0


@cured("write it with np.concatenate, np.stack or np.column_stack")
class JoinedByIndex:
    def wrong():
        return grad(lambda x, how: np.sum(np.r_[how, x, x] ** 2))(X, "0")

    def right():
        check_grads(lambda x: np.sum(np.concatenate([x, x]) ** 2), X)
        check_grads(lambda x: np.sum(np.stack([x, x]) ** 2), X)
        check_grads(lambda x: np.sum(np.column_stack([x, x]) ** 2), X)


@cured("read `{}` in a function of its own that is declared @nondifferentiable")
class AnswerCounted:
    def wrong():
        def f(a):
            found = optimize.root(lambda y: y**2 - a, 1.0)
            return found.x[0] * float(found.qtf[0])

        return grad(f)(2.0)

    def right():
        @ad.nondifferentiable
        def nearness(a):
            return float(optimize.root(lambda y: y**2 - a, 1.0).qtf[0])

        def f(a):
            return optimize.root(lambda y: y**2 - a, 1.0).x[0] * nearness(a)

        np.testing.assert_allclose(grad(f)(2.0), nearness(2.0) / 2 / np.sqrt(2.0))


@cured("pass the number to it by `args=`, or read it from a variable of the function around")
class StoredAround:
    def wrong():
        def f(a):
            SHARED["a"] = a
            return optimize.brentq(lambda y: y**3 - SHARED["a"], 0.0, 5.0)

        return grad(f)(8.0)

    def right():
        by_args = lambda a: optimize.brentq(lambda y, b: y**3 - b, 0.0, 5.0, args=(a,))
        around = lambda a: optimize.brentq(lambda y: y**3 - a, 0.0, 5.0)
        np.testing.assert_allclose([grad(by_args)(8.0), grad(around)(8.0)], 1 / 12)


SHARED = {"a": 1.0}


@cured("write `{} = {} + e`, or annotate the argument that it comes from")
class UpdateOfEither:
    def wrong():
        def f(x, y):
            z = y
            z += x
            return np.sum(z * y)

        derivative = grad(f)
        return derivative.source

    def right():
        def f(x, y):
            z = y
            z = z + x
            return np.sum(z * y)

        def annotated(x: float, y: float):
            z = y
            z += x
            return z * y

        assert grad(f).source
        assert grad(annotated)(2.0, 3.0) == 3.0


@cured("move what may raise an error out of the `try`, or before all that it changes")
class ChangedInTry:
    def wrong():
        def f(x, table):
            for k in range(2):
                try:
                    x[k] = x[k] * 2.0
                    x[0] = x[0] * table[k]
                except KeyError:
                    x[1] = 0.0
            return np.sum(x)

        return grad(f)(X, {0: 3.0})

    def right():
        def f(x, table):
            for k in range(2):
                try:
                    factor = table[k]
                except KeyError:
                    x[1] = 0.0
                else:
                    x[k] = x[k] * 2.0
                    x[0] = x[0] * factor
            return np.sum(x)

        check_grads(f, X, {0: 3.0})


@cured("pass {}")
class Called:
    def wrong():
        return grad(total(X))

    def right():
        np.testing.assert_allclose(grad(total)(X), 6.0 * X)


@cured("put @grad below it")
class AboveClassmethod:
    def wrong():
        class Model:
            @grad
            @classmethod
            def loss(cls, x):
                return x * x

    def right():
        class Model:
            @classmethod
            @grad
            def loss(cls, x):
                return x * x

        assert Model.loss(2.0) == 4.0


def arrived(k, solver):
    return solver(lambda y, t: -k * y, [1.0], [0.0, 1.0], mxstep=60)[-1, 0]


@cured("give larger `rtol` and `atol`, or call scipy.integrate.solve_ivp", followed=True)
class TooFewSteps:
    def wrong():
        with pytest.warns(integrate.ODEintWarning):
            return grad(lambda k: arrived(k, integrate.odeint))(10.0)

    def right():
        def roughly(k):
            looser = partial(integrate.odeint, rtol=1e-4, atol=1e-6)
            return arrived(k, looser)

        assert abs(grad(roughly)(10.0) + np.exp(-10.0)) < 1e-5

        def solved(k):
            return integrate.solve_ivp(lambda t, y: -k * y, (0.0, 1.0), [1.0], rtol=1e-8).y[0, -1]

        assert abs(grad(solved)(10.0) + np.exp(-10.0)) < 1e-6


# ---- natively ---------------------------------------------------------------------------------


def natively(f, *args):
    return grad(f, backend="numba")(*args)


@cured("assign `{}` before the loop or the branch", native=True)
class OnSomePaths:
    def wrong():
        def f(x):
            for k in range(len(x)):
                if x[k] > 0.7:
                    places = np.array([k, 0])
            return x[places[0]] * x[0]

        return natively(f, X)

    def right():
        def f(x):
            place = 0
            for k in range(len(x)):
                if x[k] > 0.7:
                    place = k
            return x[place] * x[0]

        np.testing.assert_allclose(natively(f, X), [X[2], 0.0, X[0]])


@cured('write a constant text: raise ValueError("not positive")', native=True)
class TextWithMore:
    def wrong():
        def f(x):
            if x < 0.0:
                raise ValueError(f"{x} is not positive")
            return x * x

        return natively(f, 2.0)

    def right():
        def f(x):
            if x < 0.0:
                raise ValueError("not positive")
            return x * x

        assert natively(f, 2.0) == 4.0


@cured("write float(base) ** exponent", native=True)
class WholePower:
    def wrong():
        return natively(lambda x, n, k: x * n**k, 2.0, 2, 3)

    def right():
        assert natively(lambda x, n, k: x * float(n) ** k, 2.0, 2, 3) == 8.0


@cured("convert them: x.astype(np.int64)", native=True)
class FewBits:
    def wrong():
        return natively(lambda x, n: np.sum(x * (n + n)), X, np.array([1, 2, 3], np.int8))

    def right():
        n = np.array([1, 2, 3], np.int8).astype(np.int64)
        np.testing.assert_allclose(natively(lambda x, n: np.sum(x * (n + n)), X, n), [2, 4, 6])


@cured("write int(a) + int(b)", native=True)
class TruthValues:
    def wrong():
        return natively(lambda x, a, b: x * (a + b), 2.0, True, True)

    def right():
        assert natively(lambda x, a, b: x * (int(a) + int(b)), 2.0, True, True) == 2.0


@cured("fill an array for it: y = np.empty(x.shape); y[:] = x; y.reshape(...)", native=True)
class TurnedView:
    def wrong():
        def f(x):
            a = 2.0 * x.T
            flat = a.reshape(a.size)
            flat[1] = flat[0] * flat[2]
            return np.sum(a * a) + np.sum(flat)

        return natively(f, np.ones((2, 2)))

    def right():
        def f(x):
            a = 2.0 * x.T
            y = np.empty(a.shape)
            y[:] = a
            flat = y.reshape(a.size)
            flat[1] = flat[0] * flat[2]
            return np.sum(a * a) + np.sum(flat)

        np.testing.assert_allclose(natively(f, np.ones((2, 2))), grad(f)(np.ones((2, 2))))


@cured("pass float64 arrays, or change a copy: x = x.copy()", native=True)
class ShortAndChanged:
    def wrong():
        return natively(changed, X.astype(np.float32), np.ones(3, np.float32))

    def right():
        def f(x, y):
            x = x.copy()
            x[1] = 0.0
            return x[0] * y[1]

        np.testing.assert_allclose(natively(changed, X, np.ones(3)), [1, 0, 0])
        short = X.astype(np.float32)
        np.testing.assert_allclose(natively(f, short, np.ones(3, np.float32)), [1, 0, 0])
