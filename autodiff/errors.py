"""What the user is told when something cannot be differentiated.

Every message says what is wrong, where (file, line and a caret under the user's own text), why,
and what to do about it.
"""

from __future__ import annotations

import inspect
import linecache
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Protocol


class Place(Protocol):
    """A place in the user's file: lines count from 1, columns are those of `ast` nodes."""

    @property
    def file(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...
    @property
    def end_line(self) -> int: ...
    @property
    def end_column(self) -> int: ...
    @property
    def text(self) -> str: ...


class AutodiffError(Exception):
    """Anything that `autodiff` refuses; the children say what kind of thing it was.

    `what`, `origin`, `why` and `cure` are attributes, so a program can print them its own way.
    The message reads:

        cannot differentiate through exec
          File "model.py", line 3
            exec("y = 2 * x")
            ^^^^^^^^^^^^^^^^^
        what the string does is not known before it runs
        write the statements out
    """

    early = False
    """Whether no derivative of the function for such arguments is compiled."""
    met = False
    """Whether it is of what a derivative meets while it runs, which is followed instead."""

    def __init__(
        self, what: str, origin: Place | None = None, *, why: str = "", cure: str = ""
    ) -> None:
        self.what = what
        self.origin = origin
        self.why = why
        self.cure = cure
        lines = [] if origin is None else shown(origin)
        super().__init__("\n".join([what, *lines, *filter(None, (why, cure))]))

    def __reduce__(self) -> tuple[Callable[..., AutodiffError], tuple[object, ...]]:
        return _rebuild, (type(self), self.what, self.origin, self.why, self.cure)


class UnsupportedSyntaxError(AutodiffError):
    """The function uses a construct through which no derivative can be taken.

    Most of Python is supported, and whatever does not take part in the computation (printing,
    logging, checks) may use any construct. What remains are functions that are not one
    computation from arguments to result, such as generators:

        @grad
        def total(x):
            for item in x:
                yield item ** 2         # UnsupportedSyntaxError

    Return a value instead:

        @grad
        def total(x):
            result = 0.0
            for item in x:
                result = result + item ** 2
            return result
    """


class MissingRuleError(AutodiffError):
    """The derivative needs a rule for a function whose source is not Python, and there is none.

        @grad
        def energy(x):
            return special.wright_omega(x)      # MissingRuleError

    The message contains the rule to fill in. With `w` for the result:

        from autodiff import d, elementwise

        @elementwise(special.wright_omega)
        def wright_omega(w, x):
            d[x] = d[w] * w / (1 + w)

    If the function is piecewise constant, say so: `nondifferentiable(special.wright_omega)`.
    """

    @classmethod
    def of(
        cls,
        function: object,
        origin: Place | None = None,
        *,
        title: str = "",
        why: str = "its source is not Python, or is not available, so it needs a rule",
    ) -> MissingRuleError:
        """The error for calling `function`, named `title`, on what the result depends on."""
        title = title or _spelled(function)
        return cls(
            f"no derivative rule for {title}",
            origin,
            why=why,
            cure=f"write the rule:\n\n{_rule_to_write(function, title)}\n",
        )


class NonDifferentiableError(AutodiffError):
    """A derivative was asked for that does not exist.

    Integers have no derivative, and only a scalar has a gradient:

        grad(energy)(3)                         # NonDifferentiableError: pass 3.0
        grad(lambda x: x * 2)(np.ones(3))       # NonDifferentiableError: the result is an array

    Pass floats, and reduce the result to a number or ask for the whole Jacobian:

        grad(energy)(3.0)
        grad(lambda x: np.sum(x * 2))(np.ones(3))
        jacobian(lambda x: x * 2)(np.ones(3))
    """


class SharedMemoryError(AutodiffError, ValueError):
    """Arguments share memory, and the function changes one of them in place.

    A derivative is compiled for arguments that do not, so it would be wrong; it says so when it is
    called:

        @grad
        def energy(x, y):
            x[0] = y[1] * 2.0
            return np.sum(x * y)

        energy(a, a)                            # SharedMemoryError

    Pass a copy:

        energy(a, a.copy())
    """


class NativeError(AutodiffError):
    """The derivative exists, but Numba cannot compile it, or it would give other numbers there.

    The message names the statement. What the native backend takes are numbers, arrays of floats,
    ints and bools, loops, branches, stores and the common functions of `math` and NumPy:

        @grad(backend="numba")
        def energy(x):
            return np.sum(np.sort(x) ** 2)      # NativeError: np.sort

    Leave the backend out, and Python runs the same derivative:

        @grad
        def energy(x):
            return np.sum(np.sort(x) ** 2)
    """


class NonFiniteError(AutodiffError, FloatingPointError):
    """Inside of `debug_nans()` a statement made NaN or infinity from finite values.

    The message names your statement, the generated one, and the values that it was given. `sweep`
    is "forward" or "reverse", `values` what the generated statement read.

        with autodiff.debug_nans():
            grad(lambda x: np.sum(np.sqrt(x)))(np.array([1.0, 0.0]))    # NonFiniteError

    Keep the values where the slope is finite, or choose before the function, not after it:

        np.sqrt(np.where(x > 0, x, 1.0))
    """

    sweep = "forward"
    values: Mapping[str, object] = MappingProxyType({})


class TemplateError(AutodiffError):
    """A rule is not written as a template has to be; it is checked when it is registered.

        @elementwise(np.tanh)
        def tanh(y, x):
            if x > 0:                           # TemplateError: straight-line code only
                d[x] = d[y] * (1 - y ** 2)

    The first parameter is the result, the others are those of the primitive, and each line
    `d[input] = ...` is linear in `d[result]`:

        @elementwise(np.tanh)
        def tanh(y, x):
            d[x] = d[y] * (1 - y ** 2)
    """


class OptionError(AutodiffError, TypeError):
    """An option that there is not, or two that say the same.

        grad(energy, wtr="x")                   # OptionError: did you mean wrt?

    Options are arguments of what makes the derivative; those of the function come in a second call:

        grad(energy, wrt="x")(1.0, 2.0)
    """


class CompileTimeoutError(AutodiffError, TimeoutError):
    """A derivative is not compiled in the time that `timeout=` gives it; all else stays usable.

        grad(energy, timeout=0.001)(x)          # CompileTimeoutError

    Give it more. A call of a derivative that is compiled takes no such time:

        grad(energy, timeout=60.0)(x)
    """


class SourceNotFoundError(AutodiffError):
    """The source text of a function is not available, or is no longer that of the function.

    Derivatives are made from source. Code that came from a string has none:

        exec("def f(x): return x ** 2", namespace)
        grad(namespace["f"])                    # SourceNotFoundError

    Put the function in a file, a notebook cell or a doctest:

        def f(x):
            return x ** 2

        grad(f)
    """


class InternalError(AutodiffError):
    """The compiler broke one of its own rules: the mistake is in `autodiff`, not in your code.

    The message names the place at which it was noticed, and what went wrong is its cause. Please
    report it, with the function that was being differentiated:

        grad(energy)(x)                         # InternalError: autodiff breaks on this: ...

    Until it is mended, a rule by hand keeps the part of the function that causes it away from the
    compiler:

        @adjoint(troublesome)
        def troublesome(y, x):
            d[x] = d[y] * 2 * x
    """


def _rebuild(
    kind: type[AutodiffError], what: str, origin: Place | None, why: str, cure: str
) -> AutodiffError:
    return kind(what, origin, why=why, cure=cure)


def shown(origin: Place) -> list[str]:
    """The lines that point at a place, laid out like a Python traceback."""
    lines = [f'  File "{origin.file}", line {origin.line}']
    text = linecache.getline(origin.file, origin.line).rstrip()
    if not text:
        return [*lines, f"    {origin.text}"] if origin.text else lines
    start = _characters(text, origin.column)
    stop = _characters(text, origin.end_column) if origin.end_line == origin.line else len(text)
    indent = len(text) - len(text.lstrip())
    start = max(start, indent)
    carets = " " * (start - indent) + "^" * max(1, stop - start)
    return [*lines, "    " + text[indent:].replace("\t", " "), "    " + carets]


def _characters(text: str, column: int) -> int:
    """How many characters the first `column` bytes of a line are: `ast` counts bytes."""
    return column if text.isascii() else len(text.encode()[:column].decode(errors="ignore"))


def _spelled(function: object) -> str:
    module = getattr(function, "__module__", None)
    name = getattr(function, "__qualname__", None) or getattr(function, "__name__", None)
    if name is None:
        return repr(function)
    return name if module in (None, "builtins", "__main__") else f"{module}.{name}"


def _rule_to_write(function: object, title: str) -> str:
    inputs = _parameters(function)
    name = getattr(function, "__name__", "rule")
    if not name.isidentifier():
        name = "rule"
    result = next(word for word in ("y", "z", "w", "result") if word not in inputs)
    lines = [f"    d[{x.lstrip('*')}] = d[{result}] * ..." for x in inputs if "=" not in x]
    return "\n".join(
        [
            "from autodiff import adjoint, d",
            "",
            f"@adjoint({title})",
            f"def {name}({', '.join([result, *inputs])}):",
            *(lines or [f"    d[...] = d[{result}] * ..."]),
        ]
    )


def _parameters(function: object) -> list[str]:
    """The parameters of a function as a rule writes them, as far as they can be found out."""
    count = getattr(function, "nin", None)  # a NumPy ufunc, whose signature is of no help
    if isinstance(count, int):
        return ["x", "y", "z"][:count] if count <= 3 else [f"x{k}" for k in range(count)]
    try:
        found = inspect.signature(function).parameters.values()  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return ["x"]
    return [
        "*" * ((p.kind is p.VAR_POSITIONAL) + 2 * (p.kind is p.VAR_KEYWORD))
        + p.name
        + ("" if p.default is p.empty else f"={_literal(p.default)}")
        for p in found
    ]


def _literal(default: object) -> str:
    """A default as a rule may write it; None for one that only its library can name."""
    return repr(default) if type(default) in (bool, int, float, complex, str, tuple) else "None"
