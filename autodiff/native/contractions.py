"""`np.einsum` with a pattern that is written out, as loops."""

from __future__ import annotations

from collections.abc import Mapping
from string import ascii_lowercase

import gast

from autodiff.kinds.kind import Array
from autodiff.native.bindings import Helpers
from autodiff.native.made import contraction
from autodiff.native.native_kinds import NativeKinds
from autodiff.syntax.quote import quote


def einsum(
    given: Mapping[str, gast.expr], known: NativeKinds, helpers: Helpers
) -> gast.expr | None:
    """`np.einsum("ij,jk->ik", a, b)` of float arrays; None for patterns without an arrow."""
    pattern, *operands = given.values()
    text = pattern.value if isinstance(pattern, gast.Constant) else None
    if not isinstance(text, str):
        return None
    inputs, arrow, result = text.replace(" ", "").partition("->")
    terms = tuple(inputs.split(","))
    if not arrow or len(terms) != len(operands):
        return None
    kinds = [known.of(operand) for operand in operands]
    arrays = [kind for kind in kinds if isinstance(kind, Array) and kind.dtype == "float64"]
    spelled = _spelled(terms, result, arrays) if len(arrays) == len(kinds) else None
    if spelled is None:
        return None
    terms, result = spelled
    if len(set(result)) < len(result) or not set(result) <= set("".join(terms)):
        return None
    if any(len(kind.shape) != len(term) for term, kind in zip(terms, arrays)):
        return None
    made = contraction(terms, result)
    slots = ", ".join(f"x{k}" for k in range(len(operands)))
    holes = {f"x{k}": operand for k, operand in enumerate(operands)}
    return quote(f"f({slots})", f=helpers.use(made.__name__, made), **holes)


def _spelled(
    terms: tuple[str, ...], result: str, arrays: list[Array]
) -> tuple[tuple[str, ...], str] | None:
    """The pattern with letters for the axes that `...` stands for; None where some may stretch."""
    if "." not in "".join((*terms, result)):
        return terms, result
    found = set()
    for term, kind in zip(terms, arrays):
        if "..." in term:
            start = term.index("...")
            found.add(kind.shape[start : len(kind.shape) - (len(term) - 3 - start)])
    if len(found) != 1:
        return None
    [sizes] = found
    if None in sizes and len(arrays) > 1:
        return None
    free = [letter for letter in ascii_lowercase if letter not in "".join((*terms, result))]
    if "..." not in result or len(sizes) > len(free):
        return None
    letters = "".join(free[: len(sizes)])
    return tuple(term.replace("...", letters) for term in terms), result.replace("...", letters)
