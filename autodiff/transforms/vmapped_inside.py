"""A function of many examples that is called inside of a function which is differentiated.

    def many(a_0, a_1):
        values = [f(a_0, a_1[k]) for k in range(len(a_1))]
        return np.stack(values)

It is compiled with that function, as any loop of the user's.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from autodiff.errors import UnsupportedSyntaxError
from autodiff.frontend.source import Namespace
from autodiff.kinds.kind import Array, Kind, Scalar, Static, Text
from autodiff.loader import load


def inside(
    f: Callable[..., Any],
    in_axes: Any,
    out_axes: Any,
    kinds: list[Kind],
    keywords: dict[str, Any],
    copies: bool,
) -> FunctionType:
    """The function of the arguments, which are of these kinds, that calls `f` for each example.

    copies: `f` may change its arguments in place.

    Raises UnsupportedSyntaxError where examples are structures, and for keywords.
    """
    axes = in_axes if isinstance(in_axes, (tuple, list)) else (in_axes,) * len(kinds)
    mapped = [k for k, axis in enumerate(axes) if axis is not None]
    arrays = all(isinstance(kinds[k], Array) for k in mapped if k < len(kinds))
    ints = all(hasattr(axes[k], "__index__") for k in mapped) and hasattr(out_axes, "__index__")
    if len(axes) != len(kinds) or not (mapped and arrays and ints) or keywords:
        raise UnsupportedSyntaxError(
            "vmap of this is called inside a function that is differentiated",
            why="there it takes positional arguments, arrays along an axis, or None for what all "
            "examples share, and gives numbers or arrays",
            cure="write the loop: np.stack([f(x[k]) for k in range(len(x))])",
        )
    names = [f"a_{k}" for k in range(len(kinds))]
    lines, given = [], []
    for k, (own, kind) in enumerate(zip(names, kinds)):
        if k in mapped:
            if int(axes[k]):
                lines.append(f"{own} = np.moveaxis({own}, {int(axes[k])}, 0)")
            part = f"{own}[k]"
            is_vector = isinstance(kind, Array) and len(kind.shape) == 1
            given.append(f"np.array({part})" if copies and not is_vector else part)
        elif copies and not isinstance(kind, (Scalar, Static, Text)):
            given.append(f"np.array({own})" if isinstance(kind, Array) else f"deepcopy({own})")
        else:
            given.append(own)
    first, *others = (names[k] for k in mapped)
    for other in others:
        lines += [f"if len({other}) != len({first}):", "    raise ValueError(differing)"]
    lines += [
        f"values = [f({', '.join(given)}) for k in range(len({first}))]",
        f"return np.stack(values, {int(out_axes)})",
    ]
    text = f"def many({', '.join(names)}):\n" + "".join(f"    {line}\n" for line in lines)
    differing = "vmap got arguments with different numbers of examples"
    helpers = {"np": np, "f": f, "deepcopy": copy.deepcopy, "differing": differing}
    return load(text, "many", Namespace({}), helpers, {})
