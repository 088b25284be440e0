"""Windows: views of an array, written as an expression on its name (`u[1:-1]`, `a.T[0]`)."""

from __future__ import annotations

from collections.abc import Callable

import gast

from autodiff.syntax.walk import clone, shallow

_Test = Callable[[gast.expr], bool]


def root(window: gast.expr) -> str | None:
    """The name at the bottom of a window; None where there is none.

    >>> root(gast.parse("u[1:-1].T.reshape(-1)[0]").body[0].value)
    'u'
    """
    while (cls := window.__class__) is not gast.Name:
        if cls is gast.Subscript or cls is gast.Attribute:
            window = window.value
        elif cls is gast.Call and isinstance(window.func, gast.Attribute):
            window = window.func.value
        else:
            return None
    return str(window.id)


def rebased(window: gast.expr, base: gast.expr) -> gast.expr:
    """The same window of another array, loaded.

    >>> import ast
    >>> window = gast.parse("u[u_start:].T").body[0].value
    >>> ast.unparse(gast.gast_to_ast(rebased(window, gast.parse("u_bar").body[0].value)))
    'u_bar[u_start:].T'
    """
    return _mapped(window, lambda _: clone(base))


def _mapped(window: gast.expr, function: Callable[[gast.Name], gast.expr]) -> gast.expr:
    if isinstance(window, gast.Name):
        return function(window)
    new = shallow(window)
    if isinstance(window, gast.Call):
        func = shallow(window.func)
        func.value = _mapped(window.func.value, function)
        new.func = func
        return new
    new.value = _mapped(window.value, function)
    if hasattr(new, "ctx"):
        new.ctx = gast.Load()
    return new


def composed(window: gast.expr, index: gast.expr, is_number: _Test) -> gast.expr:
    """`window[index]`, the two indices joined where both are made of numbers and slices.

    `a[i][j]` is `a[i, j]`, `a[:, j][1:]` is `a[1:, j]`, and `u[1:-1][...]` is `u[1:-1]`.
    """
    if isinstance(window, gast.Subscript):
        if isinstance(index, gast.Constant) and index.value is ...:
            return clone(window)
        parts = _joined(_parts(window.slice), _parts(index), is_number)
        if parts is not None:
            new = parts[0] if len(parts) == 1 else gast.Tuple(elts=parts, ctx=gast.Load())
            return gast.Subscript(value=clone(window.value), slice=new, ctx=gast.Load())
    return gast.Subscript(value=clone(window), slice=clone(index), ctx=gast.Load())


def _parts(index: gast.expr) -> list[gast.expr]:
    return list(index.elts) if isinstance(index, gast.Tuple) else [index]


def _joined(
    outer: list[gast.expr], inner: list[gast.expr], is_number: _Test
) -> list[gast.expr] | None:
    """The parts of one index for two; the whole axes of the first take those of the second."""
    if not all(is_number(part) or _is_whole(part) for part in outer):
        return None
    if not all(is_number(part) or isinstance(part, gast.Slice) for part in inner):
        return None
    rest = [clone(part) for part in inner]
    return [rest.pop(0) if rest and _is_whole(part) else clone(part) for part in outer] + rest


def _is_whole(part: gast.expr) -> bool:
    return isinstance(part, gast.Slice) and not (part.lower or part.upper or part.step)


def is_window(node: gast.expr) -> bool:
    """Whether an expression is a name or a window of one."""
    return root(node) is not None
