"""What a compiled derivative relies on, checked on entry."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import gast
from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.extending import intrinsic

from autodiff.kinds.kind import Array, Kind, Record, Scalar
from autodiff.kinds.size import Dim, Size
from autodiff.native.bindings import Helpers
from autodiff.native.narrow import NARROW
from autodiff.syntax.change import changed
from autodiff.syntax.comment import is_comment
from autodiff.syntax.names import name, parameters
from autodiff.syntax.quote import quote_statements

_LETTERS = "nmklpq"


def entry(tree: gast.FunctionDef, given: Mapping[str, Kind], helpers: Helpers) -> gast.FunctionDef:
    """The types and equal sizes for which the text was made, compared before anything else.

        expect("float64[n], float64[n, m]", x, a)

    The text holds for these kinds only, and other jitted functions may call it with any. The types
    are compared while Numba compiles; the sizes cost a few comparisons.
    """
    names = parameters(tree.args)
    if not names:
        return tree
    sizes: dict[Dim, str] = {}
    spelled = ", ".join(_spelled(given[parameter], sizes) for parameter in names)
    use = helpers.use("expect", expect)
    [check] = quote_statements("f(k)", f=use, k=gast.Constant(value=spelled, kind=None))
    check.value.args.extend(map(name, names))
    place = 1 if tree.body and isinstance(tree.body[0], gast.Expr) else 0
    if place and is_comment(tree.body[0]):
        place = 0
    result: gast.FunctionDef = changed(tree, body=[*tree.body[:place], check, *tree.body[place:]])
    return result


def _spelled(kind: Kind, sizes: dict[Dim, str]) -> str:
    """A kind as `expect` reads it; `sizes`: how those of the kinds before are called."""
    if isinstance(kind, Scalar) and kind.dtype == NARROW:
        return NARROW
    if isinstance(kind, Scalar):
        wide = {"float": "float64", "int": "int64", "bool": "bool", "complex": "complex128"}
        return wide.get(kind.type, kind.type)
    if isinstance(kind, Array):
        return f"{kind.dtype}[{', '.join(_size(size, sizes) for size in kind.shape)}]"
    if isinstance(kind, Record):
        return f"({', '.join(_spelled(item, sizes) for item in kind.items)})"
    return "?"


def _size(size: Size, sizes: dict[Dim, str]) -> str:
    if isinstance(size, int):
        return str(size)
    if not isinstance(size, Dim):
        return ":"
    place = len(sizes)
    number = str(place // len(_LETTERS)) if place >= len(_LETTERS) else ""
    return sizes.setdefault(Dim(size.name, size.least), _LETTERS[place % len(_LETTERS)] + number)


_SIZES = re.compile(r"\[([^\]]*)\]")


# One intrinsic: assertions, written out, take Numba as long to compile as ten other statements.


@intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]
def expect(context: Any, kinds: Any, *given: Any) -> Any:
    """Refuse arguments of other kinds than `"float64[m, n], float64[n], int64"`, say.

    Types are compared while Numba finds the types, sizes in each call: those of one name are equal,
    and neither 0 nor 1; `:` stands for any. AssertionError for others.
    """
    if not isinstance(kinds, types.StringLiteral):
        return None
    wanted = kinds.literal_value
    plain = tuple(map(_plain, given))
    for one, other in zip(_parts(_SIZES.sub(_axes, wanted)), map(spelled, plain)):
        if one != other:
            raise TypingError(
                f"this derivative was compiled for an argument of kind {one}, not {other}"
            )
    message = f"this derivative was compiled for arguments of sizes {wanted}"

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        all_given = signature.args[1]
        shapes = _shapes(target, builder, all_given, arguments[1])
        first: dict[str, Any] = {}
        for names, sizes in zip(_SIZES.findall(wanted), shapes):
            for own, size in zip(names.split(", "), sizes):
                for wrong in _wrong(builder, own, size, first, len(sizes)):
                    with builder.if_then(wrong, likely=False):
                        target.call_conv.return_user_exc(builder, AssertionError, (message,))
        return target.get_dummy_value()

    packed = types.StarArgTuple(plain)  # type: ignore[no-untyped-call]
    return types.none(kinds, packed), generate


def _wrong(builder: Any, name: str, size: Any, first: dict[str, Any], axes: int) -> Iterator[Any]:
    """The conditions under which a size is not what its name says.

    What LLVM makes of loops depends on them, for no reason that we know: stencils of vectors run
    1.3 times as long once it knows that the size is positive, N-body problems 1.2 times as long
    before.
    """
    if name == ":":
        return
    if name.isdigit():
        yield builder.icmp_signed("!=", size, size.type(int(name)))
    elif name in first:
        yield builder.icmp_signed("!=", size, first[name])
    elif axes > 1:
        first[name] = size
        yield builder.icmp_signed("<=", size, size.type(1))
    else:
        first[name] = size
        yield builder.icmp_signed("==", size, size.type(0))
        yield builder.icmp_signed("==", size, size.type(1))


def _shapes(target: Any, builder: Any, kind: Any, value: Any) -> Iterator[list[Any]]:
    """The sizes of each array in a value, in order."""
    if isinstance(kind, types.Array):
        array = target.make_array(kind)(target, builder, value)
        yield cgutils.unpack_tuple(builder, array.shape, kind.ndim)  # type: ignore[no-untyped-call]
    elif isinstance(kind, types.BaseTuple):
        parts: Any = kind
        for place, part in enumerate(parts.types):
            yield from _shapes(target, builder, part, builder.extract_value(value, place))


def _parts(kinds: str) -> list[str]:
    """The kinds of the arguments, one by one: what stands between commas outside of tuples."""
    found = [""]
    depth = 0
    for letter in kinds:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and not depth:
            found.append("")
        else:
            found[-1] += letter
    return [part.strip() for part in found]


def _axes(sizes: re.Match[str]) -> str:
    return f"[{len(sizes[1].split(', '))}]"


def _plain(numba_type: Any) -> Any:
    """The type of a constant without its value."""
    return types.unliteral(numba_type)  # type: ignore[no-untyped-call]


def spelled(numba_type: Any) -> str:
    """A type of Numba's as `expect` names it: dtype, and number of dimensions."""
    if isinstance(numba_type, types.Array):
        return f"{numba_type.dtype}[{numba_type.ndim}]"
    if isinstance(numba_type, types.BaseTuple):
        parts: Any = numba_type
        return f"({', '.join(spelled(_plain(part)) for part in parts.types)})"
    return str(numba_type)
