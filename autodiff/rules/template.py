"""Templates and the rules read from them.

A template is a function whose body is read, never run:

    @elementwise(np.multiply, operator.mul)
    def multiply(z, x, y):
        d[x] = d[z] * y
        d[y] = d[z] * x

The first parameter stands for the result, the others are the primitive's own parameters. A template
that comes with the library is read on first use, one that a user writes when it is decorated.
"""

from __future__ import annotations

import builtins
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import FunctionType, ModuleType
from typing import Any

import gast


class Adjoints:
    """The class of `d`, by which a template names adjoints; it has no value at run time."""

    __slots__ = ()

    def __getitem__(self, primal: Any) -> Any:
        raise TypeError("a template is read, never run: decorate it instead of calling it")

    def __setitem__(self, primal: Any, adjoint: Any) -> None:
        self[primal]


d = Adjoints()


@dataclass(frozen=True, slots=True)
class Rule:
    """The derivative of a primitive, read from its template.

    In `locals` and `adjoints`, the expression `d[result]` stands for the seed; the names of result
    and parameters stand for their values; other names are looked up by `lookup`. A parameter
    without an entry in `adjoints` is not differentiable. An entry that is the constant 0 says that
    the parameter contributes nothing.

    elementwise
        broadcasting, real parts and dtypes are not handled in the template, but by `unbroadcast`.
    holomorphic
        for complex operands `d[x] = F(d[z])` means `conj(F(conj(d[z])))`.
    linear
        the primitive is linear in its differentiable parameters taken together.
    multilinear
        it is linear in each of them alone, a product.
    linear_in
        it is linear in these, taken together, for fixed values of the others.
    tangent
        of a custom derivative: the tangent of the result, where `d[x]` is the tangent of `x`.
    custom
        the derivatives were given as functions; `adjoints` is empty where no `vjp` was.
    vjp, jvp
        the functions that were given.
    equation
        what the function solves, of one that was made by `implicit`; or the integral that it is.
    """

    primitives: tuple[Callable[..., Any], ...]
    name: str
    result: str
    parameters: tuple[inspect.Parameter, ...]
    locals: tuple[gast.stmt, ...]
    adjoints: Mapping[str, gast.expr]
    elementwise: bool
    holomorphic: bool
    linear: bool
    multilinear: bool
    linear_in: tuple[str, ...]
    module: ModuleType
    cells: Mapping[str, Any]
    file: str
    line: int
    tangent: gast.expr | None = None
    custom: bool = False
    vjp: Callable[..., Any] | None = None
    jvp: Callable[..., Any] | None = None
    equation: Any = None

    def lookup(self, name: str) -> Any:
        """What a global name of the template refers to; KeyError if nothing."""
        if name in self.cells:
            return self.cells[name].cell_contents
        scope = vars(self.module)
        return scope[name] if name in scope else vars(builtins)[name]

    def has_slope(self, parameter: str) -> bool:
        """Whether it has a derivative in a parameter: this is neither a size nor a place."""
        own = self.adjoints.get(parameter)
        return own is not None and getattr(own, "value", None) != 0


@dataclass(frozen=True, slots=True)
class Template:
    """A template that was not read yet."""

    function: FunctionType
    primitives: tuple[Callable[..., Any], ...]
    elementwise: bool = False
    holomorphic: bool = False
    linear: bool = False
    multilinear: bool = False
    linear_in: tuple[str, ...] = ()

    def takes(self, operands: int) -> bool:
        """Whether a call with so many positional arguments fits the template."""
        code = self.function.__code__
        required = code.co_argcount - 1 - len(self.function.__defaults__ or ())
        if code.co_flags & inspect.CO_VARARGS:
            return operands >= required
        return required <= operands < code.co_argcount

    @property
    def place(self) -> tuple[str, int]:
        """File and line of the template; tells two reads of one template from two templates."""
        code = self.function.__code__
        return code.co_filename, code.co_firstlineno
