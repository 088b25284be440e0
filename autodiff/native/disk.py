"""Compiled derivatives on disk, where Numba keeps the primal with `cache=True`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
from numba.core.caching import CompileResultCacheImpl, FunctionCache

from autodiff.frontend.jitted import is_jitted
from autodiff.syntax.origin import Origin


def keep_on_disk(
    dispatcher: Any, text: str, flags: Mapping[str, Any], origins: Mapping[int, Origin]
) -> None:
    """Let a dispatcher look for its machine code on disk, and leave it there.

    Numba compares the file of a function and looks at its code. Here all is compared that machine
    code follows from: text and options, the content of what the text reads from outside, and these
    passes. Where something cannot be compared, or no file is known, nothing is kept.
    """
    loaded = dispatcher.py_func
    files = [loaded.__code__.co_filename, *(origin.file for origin in origins.values())]
    try:
        content = [text, repr(sorted(flags.items())), *_read(loaded, {id(loaded)}), _passes()]
    except _Unknown:
        return
    digest = hashlib.sha256("\0".join(content).encode()).hexdigest()
    for file in dict.fromkeys(files):
        for kind in CompileResultCacheImpl._locator_classes:
            locator = kind.from_function(loaded, file)  # type: ignore[attr-defined]
            if locator is not None:
                dispatcher._cache = _Cache(loaded, locator, digest)
                return


_VERSIONED = ("autodiff", "builtins", "math", "numpy")
"""Packages of which the version, or `_passes`, says what their functions do."""


class _Unknown(Exception):
    """An object whose content cannot be compared."""


class _Place(CompileResultCacheImpl):  # type: ignore[misc]
    """The files of one text: the name of the function and the beginning of the digest."""

    def __init__(self, function: FunctionType, locator: Any, digest: str) -> None:
        self._lineno = function.__code__.co_firstlineno
        self._locator = locator
        self._filename_base = f"autodiff-{function.__name__}-{digest[:16]}"


class _Cache(FunctionCache):  # type: ignore[misc]
    """Machine code by signature, processor and digest."""

    def __init__(self, function: FunctionType, locator: Any, digest: str) -> None:
        self.digest = digest
        self._place = _Place(function, locator, digest)
        super().__init__(function)  # type: ignore[no-untyped-call]

    def _impl_class(self, function: FunctionType) -> _Place:  # type: ignore[override]
        return self._place

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return sig, codegen.magic_tuple(), self.digest


def _read(function: FunctionType, seen: set[int]) -> Iterator[str]:
    """What the machine code of a function follows from beside the processor and these passes."""
    yield from _code(function.__code__)
    for identifier, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        yield identifier
        yield from _content(cell.cell_contents, seen)
    for identifier in sorted(_names(function.__code__)):
        if identifier in function.__globals__:
            yield identifier
            yield from _content(function.__globals__[identifier], seen)


def _content(value: Any, seen: set[int]) -> Iterator[str]:
    if id(value) in seen:
        return
    if isinstance(value, (bool, int, float, complex, str, type(None), np.generic)):
        yield f"{type(value).__name__} {value!r}"
    elif isinstance(value, ModuleType):
        yield f"{value.__name__} {getattr(value, '__version__', '')}"
    elif isinstance(value, tuple):
        yield f"tuple of {len(value)}"
        for item in value:
            yield from _content(item, seen)
    elif isinstance(value, np.ndarray) and value.dtype.kind in "biufc":
        yield f"{value.dtype} {value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}"
    elif is_jitted(value):
        seen.add(id(value))
        yield repr(sorted(value.targetoptions.items()))
        yield from _read(value.py_func, seen)
    elif (getattr(value, "__module__", None) or "").partition(".")[0] in _VERSIONED:
        yield f"{value.__module__}.{value.__name__} {np.__version__}"
    elif isinstance(value, FunctionType):
        seen.add(id(value))
        yield f"{value.__module__}.{value.__qualname__}"
        yield from _read(value, seen)
    elif isinstance(value, np.ufunc):  # of NumPy 1
        yield f"{value.__name__} {np.__version__}"
    else:
        raise _Unknown


def _code(code: CodeType) -> Iterator[str]:
    yield f"{code.co_code.hex()} {code.co_names} {code.co_varnames}"
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _code(constant)
        else:
            yield repr(constant)


def _names(code: CodeType) -> set[str]:
    """The names of globals, among others, that code reads."""
    inner = (c for c in code.co_consts if isinstance(c, CodeType))
    return set(code.co_names).union(*map(_names, inner))


@cache
def _passes() -> str:
    """The content of these passes and of what lowered code calls, in which overloads are found."""
    package = Path(__file__).parent
    files = sorted([*package.glob("*.py"), *(package.parent / "runtime").glob("*.py")])
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
