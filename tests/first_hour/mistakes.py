"""Fifteen first mistakes: a script wrong in one place, what it is told, the cure applied."""

from __future__ import annotations

from dataclasses import dataclass

HEAD = """\
import numpy as np
from autodiff import custom, grad, hessian

X = np.array([0.5, 1.0, 2.0])


def total(x, k=3.0):
    return k * np.sum(x**2)

"""
SUM = "[ 3.  6. 12.]"


@dataclass(frozen=True)
class Mistake:
    """wrong and right: the end of the script before and after the cure. says: what the message
    holds, its place and its cure among it. prints: what the script prints in the end.
    """

    name: str
    wrong: str
    says: tuple[str, ...]
    right: str
    prints: str = SUM


MISTAKES = [
    Mistake(
        "a whole number",
        "print(grad(total)(3))",
        ("total (script.py:7)", "x is an int", "pass a float: x=3.0"),
        "print(grad(total)(3.0))",
        "18.0",
    ),
    Mistake(
        "an array of whole numbers",
        "print(grad(total)(np.array([1, 2])))",
        ("total (script.py:7)", "x is an array of int64", "pass floats: x.astype(float)"),
        "print(grad(total)(np.array([1, 2]).astype(float)))",
        "[ 6. 12.]",
    ),
    Mistake(
        "a function that returns an array",
        "print(grad(lambda x: 3.0 * x**2)(X))",
        ("(script.py:11) does not return a real scalar", "ndarray of shape (3,)", "np.sum"),
        "print(grad(lambda x: np.sum(3.0 * x**2))(X))",
    ),
    Mistake(
        "a function that returns nothing",
        "def f(x):\n    y = total(x)\n\nprint(grad(f)(X))",
        ("f (script.py:11)", "it returned None", "return a number"),
        "def f(x):\n    y = total(x)\n    return y\n\nprint(grad(f)(X))",
    ),
    Mistake(
        "a parameter that is not there",
        "print(grad(total, wrt='xs')(X))",
        ("total (script.py:7) has no parameter 'xs'", "its parameters are: x, k", "pass wrt='x'"),
        "print(grad(total, wrt='x')(X))",
    ),
    Mistake(
        "an option that is not there",
        "print(grad(total, argnum=0)(X))",
        ("there is no option 'argnum'", "did you mean argnums?", "line 11"),
        "print(grad(total, argnums=0)(X))",
    ),
    Mistake(
        "the function called",
        "print(grad(total(X)))",
        ("cannot differentiate np.float64(15.75)", "grad(f)(x)", "line 11"),
        "print(grad(total)(X))",
    ),
    Mistake(
        "text that is run",
        "def f(x):\n    scope = {'x': x}\n    exec('y = 3.0 * x[0] ** 2', scope)\n"
        "    return scope['y']\n\nprint(grad(f)(X))",
        ('script.py", line 13', "^^^", "through exec", "write out what it computes"),
        "def f(x):\n    return 3.0 * x[0] ** 2\n\nprint(grad(f)(X))",
        "[3. 0. 0.]",
    ),
    Mistake(
        "compiled code",
        "print(grad(X.dot)(X))",
        ("dot: it has no Python source", "own.dot(", "line 11"),
        "print(grad(lambda x: X.dot(x))(X))",
        "[0.5 1.  2. ]",
    ),
    Mistake(
        "a derivative of the user's, of another shape",
        "@custom(vjp=lambda y_bar, y, x: 6.0 * y_bar)\ndef f(x):\n    return total(x)\n\n"
        "print(grad(lambda x: f(x) * 1.0)(X))",
        ("a custom derivative gave a float", "shape (3,)", 'script.py", line 15'),
        "@custom(vjp=lambda y_bar, y, x: 6.0 * y_bar * x)\ndef f(x):\n    return total(x)\n\n"
        "print(grad(lambda x: f(x) * 1.0)(X))",
    ),
    Mistake(
        "a complex result",
        "print(grad(lambda x: total(x) * 1j)(X))",
        ("(script.py:11) does not return a real scalar", "complex128", "abs(z)**2"),
        "print(grad(lambda x: abs(np.sqrt(total(x)) * 1j) ** 2)(X))",
    ),
    Mistake(
        "a backend that is not installed",
        "print(grad(total, backend='numba')(X))",
        ("Numba", "pip install", "source-autodiff[numba]", "line 11"),
        "print(grad(total, backend='python')(X))",
    ),
    Mistake(
        "a generator",
        "def f(x):\n    for v in x:\n        yield 3.0 * v * v\n\nprint(grad(f)(X))",
        ("f (script.py:11)", "it returned generator", "return a number"),
        "def f(x):\n    y = 0.0\n    for v in x:\n        y += 3.0 * v * v\n    return y\n\n"
        "print(grad(f)(X))",
    ),
    Mistake(
        "decorators in the wrong order",
        "class Model:\n    @grad\n    @classmethod\n    def loss(cls, x):\n"
        "        return total(x)\n\nprint(Model.loss(X))",
        ("classmethod", "put @grad below it", "line 12"),
        "class Model:\n    @classmethod\n    @grad\n    def loss(cls, x):\n"
        "        return total(x)\n\nprint(Model.loss(X))",
    ),
    Mistake(
        "a text that should be a number",
        "print(grad(total)('0.5'))",
        ("total (script.py:7)", "x is a str", "pass a float"),
        "print(grad(total)(float('0.5')))",
        "3.0",
    ),
]
