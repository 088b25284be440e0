"""What arguments a derivative was made for, as a function of its file that refuses others.

def _check(x):
    if not (isinstance(x, np.ndarray) and x.dtype == "float64" and x.shape[0] >= 4):
        raise TypeError("made for x as float64[n0 >= 4]")
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as Items
from types import FunctionType, ModuleType

from autodiff.kinds.kind import Array, Kind, Record, Scalar, Sequence, Static
from autodiff.kinds.size import Dim, Size

CHECK = "_check"
"""The name of the function."""
_DOC = '    """Raise TypeError unless the arguments are like those that the text was made for."""'
_WIDTH = 100
_NUMBERS = {
    "bool": "(bool, np.bool_)",
    "int": "(int, np.integer)",
    "float": "(float, np.floating)",
    "complex": "(complex, np.complexfloating)",
}


def made_for(arguments: Items[tuple[str, Kind]]) -> str:
    """The text of the function, empty where nothing is to be checked.

    What cannot be told from a value, as an object of the user's from one of another class of that
    name, is not looked at.
    """
    sizes: dict[str, str] = {}
    lines: list[str] = []
    for name, kind in arguments:
        tests = list(_tests(name, kind, sizes))
        if tests:
            lines += _unless(tests)
            lines.append(f"        raise TypeError({f'made for {name} as {said(kind)}'!r})")
    names = ", ".join(name for name, _ in arguments)
    return "\n".join([f"def {CHECK}({names}):", _DOC, *lines]) if lines else ""


def _unless(tests: list[str]) -> list[str]:
    line = f"    if not ({' and '.join(tests)}):"
    if len(line) <= _WIDTH:
        return [line]
    rest = [f"        and {test}" for test in tests[1:]]
    return ["    if not (", f"        {tests[0]}", *rest, "    ):"]


def _tests(value: str, kind: Kind, sizes: dict[str, str]) -> Iterator[str]:
    """Expressions that hold for values of a kind; sizes: what the named ones are."""
    match kind:
        case Scalar(word):
            yield f"isinstance({value}, {_NUMBERS[word]})"
        case Array(dtype, shape):
            yield f"isinstance({value}, np.ndarray)"
            if dtype is not None:
                yield f'{value}.dtype == "{dtype}"'
            yield f"{value}.ndim == {len(shape)}"
            for axis, size in enumerate(shape):
                yield from _sized(f"{value}.shape[{axis}]", size, sizes)
        case Record(cls, keys, items) if kind.indexed:
            yield _of_class(value, cls)
            own = f"len({value}) == {len(keys)}" if cls is not dict else f"[*{value}] == {[*keys]}"
            yield own
            for key, item in zip(keys, items):
                yield from _tests(f"{value}[{key!r}]", item, sizes)
        case Record(cls, keys, items):
            yield _of_class(value, cls)
            for key, item in zip(keys, items):
                yield from _tests(f"{value}.{key}", item, sizes)
        case Sequence(item, cls):
            yield _of_class(value, cls)
            tests = list(_tests("item", item, {}))
            if tests:
                yield f"all({' and '.join(tests)} for item in {value})"
        case Static(fixed) if fixed is None or fixed is Ellipsis:
            yield f"{value} is {fixed!r}"
        case Static(fixed) if type(fixed) is str:
            yield f"{value} == {fixed!r}"
        case Static(fixed) if isinstance(fixed, ModuleType):
            yield f'getattr({value}, "__name__", "") == {fixed.__name__!r}'
        case Static(fixed) if isinstance(getattr(fixed, "__qualname__", None), str):
            yield f'getattr({value}, "__qualname__", "") == {fixed.__qualname__!r}'
            if isinstance(fixed, FunctionType):  # others may have its name: `<lambda>`
                yield f"{value}.__code__.co_firstlineno == {fixed.__code__.co_firstlineno}"
        case Static(fixed) if " at 0x" not in repr(fixed):
            yield f"repr({value}) == {repr(fixed)!r}"


def _of_class(value: str, cls: type) -> str:
    if cls in (tuple, list, dict):
        return f"type({value}) is {cls.__name__}"
    return f'type({value}).__qualname__ == "{cls.__qualname__}"'


def _sized(value: str, size: Size, sizes: dict[str, str]) -> Iterator[str]:
    if isinstance(size, int):
        yield f"{value} == {size}"
    elif isinstance(size, Dim):
        factor, base = size.factored
        if base in sizes:
            yield f"{value} == {f'{factor} * ' if factor > 1 else ''}{sizes[base]}"
            return
        sizes[base] = f"({value} // {factor})" if factor > 1 else value
        if size.least > 0:
            yield f"{value} >= {size.least}"
        if factor > 1:
            yield f"{value} % {factor} == 0"


def said(kind: Kind) -> str:
    """A kind for the reader of a message."""
    match kind:
        case Scalar(word):
            return word
        case Array(dtype, shape):
            return f"{dtype or 'array'}[{', '.join(map(_size, shape))}]"
        case Record(cls, keys, items) if cls not in (tuple, list):
            return f"{cls.__name__}({', '.join(f'{k}: {said(i)}' for k, i in zip(keys, items))})"
        case Record(cls, _, items):
            return f"{cls.__name__}({', '.join(map(said, items))})"
        case Sequence(item, cls):
            return f"{cls.__name__}({said(item)}, ...)"
        case Static(fixed):
            named = getattr(fixed, "__name__", "") if isinstance(fixed, ModuleType) else ""
            return named or getattr(fixed, "__qualname__", repr(fixed))
    return "anything"


def _size(size: Size) -> str:
    if isinstance(size, Dim):
        return f"{size.name} >= {size.least}" if size.least else size.name
    return "any" if size is None else str(size)
