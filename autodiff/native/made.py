"""Loops written for one number of axes: reductions and contractions that Numba lacks."""

from __future__ import annotations

import linecache
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numba.core import types
from numba.extending import overload, register_jitable

REDUCES: dict[Any, tuple[str, tuple[int, ...], bool]] = {}
"""Of reductions made here: which, along which axes, and whether they keep these."""
MADE: set[Any] = set()
"""All functions made here."""


@register_jitable
def overlap(x: Any, y: Any) -> Any:
    """Whether two arrays may share memory: the bytes between their ends overlap."""
    low, high = _ends(x)
    other_low, other_high = _ends(y)
    return low < other_high and other_low < high


@register_jitable
def one_array(x: Any, y: Any) -> Any:
    """Whether two arrays are views of the same elements in the same order."""
    return x.ctypes.data == y.ctypes.data and x.shape == y.shape and x.strides == y.strides


@register_jitable
def _ends(x: Any) -> Any:
    """The addresses of the first byte of an array and of the byte after the last."""
    low = high = x.ctypes.data
    for axis in range(x.ndim):
        if x.shape[axis] == 0:
            return 0, 0
        reach = (x.shape[axis] - 1) * x.strides[axis]
        if reach < 0:
            low += reach
        else:
            high += reach
    return low, high + x.itemsize


_STEPS = {
    "sum": ("0", "{r} += {x}"),
    "mean": ("0.0", "{r} += {x}"),
    "prod": ("1", "{r} *= {x}"),
    "max": (None, "{r} = np.maximum({r}, {x})"),
    "min": (None, "{r} = np.minimum({r}, {x})"),
    "any": ("False", "{r} = {r} or {x} != 0"),
    "all": ("True", "{r} = {r} and {x} != 0"),
}
REDUCTIONS = frozenset(_STEPS)


@cache
def reduction(kind: str, ndim: int, axes: tuple[int, ...], keepdims: bool, dtype: str) -> Any:
    """`np.sum(x, axes, keepdims=...)` and the like, for arrays of `ndim` axes.

    dtype: of the result, a dtype that is compared. Not for all axes without `keepdims`.

        def sum_over_1(x):                               # ndim 2, axes (1,)
            result = np.empty((x.shape[0],))
            for i in range(x.shape[0]):
                total = 0.0
                for j in range(x.shape[1]):
                    total += x[i, j]
                result[i] = total
            return result
    """
    letters = [f"k{axis}" for axis in range(ndim)]
    kept = [axis for axis in range(ndim) if axis not in axes]
    shape = ["1" if axis in axes else f"x.shape[{axis}]" for axis in range(ndim)]
    place = ["0" if axis in axes else letters[axis] for axis in range(ndim)]
    if not keepdims:
        shape, place = [shape[k] for k in kept], [place[k] for k in kept]
    first, step = _STEPS[kind]
    if first is not None and dtype == "float64":
        first = f"float({first})"
    elif first is not None and dtype == "complex128":
        first = f"complex({first})"
    slot = f"result[{', '.join(place)}]"
    count = " * ".join(f"x.shape[{axis}]" for axis in axes)
    lines = []
    if first is None:
        lines.append(f"if {count} == 0:")
        lines.append(f"    raise ValueError('{kind} of no elements')")
        first = f"x[{', '.join('0' if axis in axes else letters[axis] for axis in range(ndim))}]"
    typed = "" if dtype == "float64" else f", np.{dtype.replace('bool', 'bool_')}"
    lines.append(f"result = np.empty(({', '.join(shape)},){typed})")
    element = f"x[{', '.join(letters)}]"
    indent = ""
    for axis in kept:
        lines.append(f"{indent}for {letters[axis]} in range(x.shape[{axis}]):")
        indent += "    "
    if tuple(kept) == tuple(range(len(kept))):  # what is added up lies together
        lines.append(f"{indent}total = {first}")
        inner = indent
        for axis in axes:
            lines.append(f"{inner}for {letters[axis]} in range(x.shape[{axis}]):")
            inner += "    "
        lines.append(inner + step.format(r="total", x=element))
        lines.append(f"{indent}{slot} = total")
    else:
        lines.append(f"{indent}{slot} = {first}")
        indent = ""
        for axis in range(ndim):
            lines.append(f"{indent}for {letters[axis]} in range(x.shape[{axis}]):")
            indent += "    "
        lines.append(indent + step.format(r=slot, x=element))
    lines.append(f"return result / ({count})" if kind == "mean" else "return result")
    name = f"{kind}_over_{'_'.join(map(str, axes))}" + ("_kept" if keepdims else "")
    made = _function(name, ["x"], lines)
    REDUCES[made] = kind, axes, keepdims
    return made


@cache
def along(
    function: Any, lanes: tuple[bool, ...], ndim: int, axis: int, dtype: str, form: str
) -> Any:
    """A function of vectors along an axis of arrays. lanes: which arguments are arrays; form: it
    gives "vectors" as long as its own, or numbers, whose axis is "kept" or not.

        def var_along_1(x0):                               # ndim 2, axis 1
            result = np.empty((x0.shape[0],))
            for k0 in range(x0.shape[0]):
                y = function(x0[k0, :])
                result[k0] = y
            return result
    """
    name = f"{function.__name__}_along_{axis}" + ("_kept" if form == "kept" else "")
    names = [f"x{k}" for k in range(len(lanes))]
    first, *others = [own for own, is_lane in zip(names, lanes) if is_lane]
    lane = [":" if k == axis else f"k{k}" for k in range(ndim)]
    sizes = [f"{first}.shape[{k}]" for k in range(ndim)]
    tests = [f"{other}.shape != {first}.shape" for other in others]
    lines, indent = [f"result = np.empty(SIZES, np.{dtype.replace('bool', 'bool_')})"], ""
    for k in range(ndim):
        if k != axis:
            lines.append(f"{indent}for k{k} in range({sizes[k]}):")
            indent += "    "
    own = [f"{x}[{', '.join(lane)}]" if is_lane else x for x, is_lane in zip(names, lanes)]
    lines.append(f"{indent}y = function({', '.join(own)})")
    if form == "vectors":
        lines += [f"{indent}if len(y) != {sizes[axis]}:", f"{indent}    raise ValueError('{name}')"]
    elif form == "kept":
        lane[axis], sizes[axis] = "0", "1"
    else:
        del lane[axis], sizes[axis]
    lines += [f"{indent}result[{', '.join(lane)}] = y", "return result"]
    lines[0] = lines[0].replace("SIZES", f"({', '.join(sizes)},)")
    checks = [line for test in tests for line in (f"if {test}:", f"    raise ValueError('{name}')")]
    return _function(name, names, [*checks, *lines], function=function)


@cache
def rolled(ndim: int, axis: int) -> Any:
    """`np.roll(x, shift, axis)` for arrays of `ndim` axes."""

    def part(span: str) -> str:
        return ", ".join(span if k == axis else ":" for k in range(ndim))

    lines = ["result = np.empty_like(x)", f"n = x.shape[{axis}]", "s = shift % n if n > 0 else 0"]
    lines += [f"result[{part('s:')}] = x[{part(': n - s')}]"]
    lines += [f"result[{part(':s')}] = x[{part('n - s :')}]", "return result"]
    return _function(f"rolled_over_{axis}", ["x", "shift"], lines)


@cache
def contraction(terms: tuple[str, ...], result: str) -> Any:
    """`np.einsum` of arrays for one pattern: `(("ij", "jk"), "ik")`."""
    names = [f"x{k}" for k in range(len(terms))]
    sizes: dict[str, str] = {}
    lines = []
    for name, term in zip(names, terms):
        for axis, letter in enumerate(term):
            size = f"{name}.shape[{axis}]"
            if sizes.setdefault(letter, size) != size:
                lines.append(f"if {size} != {sizes[letter]}:")
                lines.append("    raise ValueError('einsum: sizes that differ')")
    factors = " * ".join(f"{n}[{', '.join(term)}]" for n, term in zip(names, terms))
    order = [*result, *(letter for letter in sizes if letter not in result)]
    if result:
        lines.append(f"result = np.zeros(({', '.join(sizes[c] for c in result)},))")
        first = terms[-1][-1:]  # the last axis of the last operand runs fastest
        order = [*(c for c in order if c != first), *(c for c in order if c == first)]
    else:
        lines.append("result = 0.0")
    indent = ""
    for letter in order:
        lines.append(f"{indent}for {letter} in range({sizes[letter]}):")
        indent += "    "
    slot = f"result[{', '.join(result)}]" if result else "result"
    lines.append(f"{indent}{slot} += {factors}")
    lines.append("return result")
    return _function(f"einsum_{'_'.join(terms)}_to_{result or 'number'}", names, lines)


@cache
def shared(count: int) -> Any:
    """`runtime.share` for so many items, as a tuple."""
    items = [f"x{k}" for k in range(count)]
    lines = ["ties = 0"]
    for item in items:
        lines += [f"if {item} == best:", "    ties += 1"]
    parts = [f"g / ties if {item} == best else 0.0" for item in items]
    lines.append(f"return ({', '.join(parts)},)")
    return _function(f"shared_by_{count}", ["g", "best", *items], lines)


@cache
def picked(places: tuple[int, ...]) -> Any:
    """The items of a tuple at these places, as a tuple."""
    return _function("picked", ["x"], [f"return {_tuple([f'x[{k}]' for k in places])}"])


@cache
def no_adjoints(places: tuple[int, ...]) -> Any:
    """Zeros like the items of a tuple at these places, as a tuple."""
    return _function(
        "no_adjoints", ["x"], [f"return {_tuple([f'zero_like(x[{k}])' for k in places])}"]
    )


@cache
def added(layout: tuple[Any, ...]) -> Any:
    """The sums of what two tuples hold; those of arrays are written into the first one's."""
    lines = []
    for k, kind in enumerate(layout):
        lines += [f"x_{k} = x[{k}]", f"x_{k} += y[{k}]"]
        if kind is None:
            lines[-1] = f"x_{k} = x_{k} + y[{k}]"
    return _function(
        "added", ["x", "y"], [*lines, f"return {_tuple([f'x_{k}' for k in range(len(layout))])}"]
    )


def _tuple(items: list[str]) -> str:
    return f"({''.join(f'{item}, ' for item in items)})"


def zero_like(x):  # type: ignore[no-untyped-def] # Numba compares signatures, with annotations
    """The adjoint of a number or an array through which none has come yet."""


@overload(zero_like)
def _zero_like(x):  # type: ignore[no-untyped-def]
    if isinstance(x, types.Array):
        return lambda x: np.zeros_like(x)
    return (lambda x: 0j) if isinstance(x, types.Complex) else (lambda x: 0.0)


@cache
def duplicate(layout: Any, made: str = "{}.copy()") -> Any:
    """A copy of a tuple; `layout`: what an array is like, None for a number, nested as the tuple.
    made: what there is in place of each array.

        def duplicate(x):                                 # layout ("float64[1]", None)
            x_0 = x[0].copy()
            return (x_0, x[1],)

    Of two arrays that are alike, the second is the copy of the first if it is the first. Memory
    that two others share in part is refused.
    """
    lines: list[str] = []
    arrays: dict[str, tuple[str, str]] = {}

    def visit(layout: Any, path: str) -> str:
        if isinstance(layout, tuple):
            parts = [visit(item, f"{path}[{k}]") for k, item in enumerate(layout)]
            return f"({''.join(part + ', ' for part in parts)})"
        if layout is None:
            return path
        own = re.sub(r"\W+", "_", path).rstrip("_")
        lines.append(f"{own} = {made.format(path)}")
        for other, (before, like) in arrays.items():
            if like == layout:
                lines.append(f"if one_array({before}, {path}):")
                lines.append(f"    {own} = {other}")
            lines.append(f"{'elif' if like == layout else 'if'} overlap({before}, {path}):")
            lines.append("    raise ValueError('parts of a state share memory in part')")
        arrays[own] = path, layout
        return own

    result = visit(layout, "x")
    return _function("duplicate", ["x"], [*lines, f"return {result}"])


def _function(name: str, parameters: list[str], lines: list[str], **own: Any) -> Callable[..., Any]:
    body = "".join(f"    {line}\n" for line in lines)
    text = f"def {name}({', '.join(parameters)}):\n{body}"
    file = f"<autodiff native {name} {len(MADE)}>"
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    namespace: dict[str, Any] = {"np": np, "overlap": overlap, "one_array": one_array}
    namespace.update(own, zero_like=zero_like)
    exec(compile(text, file, "exec"), namespace)
    made: Any = register_jitable(namespace[name])
    MADE.add(made)
    return made  # type: ignore[no-any-return]
