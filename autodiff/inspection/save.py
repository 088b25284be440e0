"""A derivative written as a module of its own."""

from __future__ import annotations

import ast
import builtins
import importlib
import inspect
import math
import operator
import os
import re
import symtable
import textwrap
import threading
from collections.abc import Collection, Mapping
from os import PathLike
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from autodiff.errors import AutodiffError
from autodiff.inspection.imports import Import, render
from autodiff.inspection.made_for import CHECK, made_for
from autodiff.kinds.kind import Kind
from autodiff.pipeline.compiled import Compiled
from autodiff.pipeline.request import FLAGS
from autodiff.rules.home import home

_LARGEST = 10_000
_RUNTIME = "autodiff.runtime"
_OVERLOADS = "autodiff.native.vocabulary"
"""Tells Numba how to compile what generated code calls."""
_MADE = "<autodiff native "
_TITLE = "# Derivative of ", ", written by autodiff."
"""What stands before and after the name in the first line of each file, by which it is known."""


def save(
    compiled: Compiled,
    place: str,
    kinds: Mapping[str, Kind],
    path: str | PathLike[str],
    overwrite: bool,
) -> None:
    """Write `compiled` to `path`, with all that it reads from its module and closure.

    Modules, and functions that can be imported, are imported; numbers, strings, small arrays and
    tuples, lists and dicts of those are written down. Anything else raises `AutodiffError`, and so
    does a file that is there and was not written here, unless it is to `overwrite` it. The file is
    replaced as a whole: who reads it, or imports it, meanwhile finds the old one or the new one.
    """
    file = Path(os.path.realpath(path))  # a link stays, and leads to the new file
    if not file.parent.is_dir():
        raise FileNotFoundError(f"there is no folder {file.parent} to save {file.name} in")
    if file.exists() and not (file.is_file() and (overwrite or _is_ours(file))):
        raise AutodiffError(
            f"cannot save the derivative of {place} as {path}",
            why="what is there was not written by autodiff",
            cure="choose another name; overwrite=True replaces a file",
        )
    new = file.with_name(f".{file.name}.{os.getpid()}.{threading.get_ident()}")
    text = standalone(compiled, place, kinds)
    try:
        new.write_text(text, encoding="utf-8")
        os.replace(new, file)
    finally:
        new.unlink(missing_ok=True)


def _is_ours(file: Path) -> bool:
    """Whether the first line of a file is that of a derivative that was saved."""
    before, after = _TITLE
    with file.open(encoding="utf-8", errors="replace") as lines:
        first = lines.readline(1000).rstrip()
    return first.startswith(before) and first.endswith(after)


def standalone(compiled: Compiled, place: str, kinds: Mapping[str, Kind]) -> str:
    """The text of the module; kinds: what its function was made for, by parameter."""
    imports: list[Import] = []
    constants: list[str] = []
    written: list[str] = []
    for name, value in sorted(_read(compiled).items()):
        found = _import(name, value)
        if found is not None:
            imports.append(found)
            continue
        text = _loops(value)
        if text is not None:
            written.append(text.replace(f"def {value.__name__}(", f"def {name}(", 1))
            continue
        text = _literal(value)
        if text is None or isinstance(value, np.ndarray) and value.size > _LARGEST:
            raise AutodiffError(
                f"cannot save the derivative of {place}",
                why=f"it reads {name}, {_described(value)}, which cannot be written down",
                cure=f"pass {name} as an argument, or define it in a module that can be imported",
            )
        if "np." in text:
            imports.append(Import("numpy", None, "np"))
        constants.append(f"{name} = {text}")
    source = compiled.source.strip()
    if compiled.native is None:
        check, source = _checked(compiled, source, kinds)
        written += [f"\n{check}"] if check else []
        if "np." in check and not any(one.name == "np" for one in imports):
            imports.append(Import("numpy", None, "np"))
    if compiled.native is not None:
        imports += [Import("numba", None, "numba"), Import(_OVERLOADS, None, _OVERLOADS)]
        if written and not any(one.name == "np" for one in imports):
            imports.append(Import("numpy", None, "np"))
        source = re.sub("^def ", f"{_decorator(compiled)}\ndef ", source, flags=re.MULTILINE)
    title = place.join(_TITLE)
    above = [title, render(imports), "\n".join(constants), *written]
    return "\n\n".join(filter(None, [*above, f"\n{source}\n"]))


def _checked(compiled: Compiled, source: str, kinds: Mapping[str, Kind]) -> tuple[str, str]:
    """What refuses arguments that the text was not made for, and the text that begins with it."""
    main = compiled.generated[0] if compiled.generated else compiled.function
    names = [name for name in inspect.signature(main).parameters if name in kinds]
    check = made_for([(name, kinds[name]) for name in names])
    if not check:
        return "", source
    [defined] = (
        node
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef) and node.name == main.__name__
    )
    lines = source.split("\n")
    lines.insert(defined.body[0].end_lineno or 0, f"    {CHECK}({', '.join(names)})")
    return check, "\n".join(lines)


def _decorator(compiled: Compiled) -> str:
    """What has Numba compile a function as this one is compiled."""
    given = {flag: compiled.native.targetoptions.get(flag) for flag in FLAGS}
    options = ", ".join(f"{flag}={value!r}" for flag, value in given.items() if value is not None)
    return f"@numba.njit({options})" if options else "@numba.njit"


def _loops(value: object) -> str | None:
    """The text of a function that the native backend wrote for one number of axes."""
    if not isinstance(value, FunctionType) or not value.__code__.co_filename.startswith(_MADE):
        return None
    return f"@numba.njit\n{inspect.getsource(value).strip()}"


def _read(compiled: Compiled) -> dict[str, Any]:
    """What the generated source reads from outside: name -> value now."""
    generated: list[FunctionType] = []
    for function in compiled.generated or (compiled.function,):
        _collect(function, generated)
    found: dict[str, Any] = {}
    for name in _free(symtable.symtable(compiled.source, "<derivative>", "exec")):
        values = [value for function in generated for value in _meant(name, function)]
        values += [compiled.beside[name]] if name in compiled.beside else []
        if any(value is not values[0] for value in values):
            raise AutodiffError(
                f"cannot save a derivative of several functions in which {name} means "
                "different things",
                cure="give one of them another name",
            )
        if values:
            found[name] = values[0]
        elif not hasattr(builtins, name):
            raise AutodiffError(f"cannot save a derivative that reads {name}: it is not defined")
    return found


def _collect(function: FunctionType, found: list[FunctionType]) -> None:
    """A generated function, and those that were generated for it."""
    if function in found:
        return
    found.append(function)
    for cell in function.__closure__ or ():
        value = cell.cell_contents
        made = isinstance(value, FunctionType) and value.__code__.co_filename
        if made and str(made).startswith("<autodiff "):
            _collect(value, found)


def _meant(name: str, function: FunctionType) -> list[Any]:
    """What a name means in a function, if it reads it from outside."""
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
    if name in cells:
        return [cells[name].cell_contents]
    is_read = name in function.__globals__ and name in _read_globally(function.__code__)
    return [function.__globals__[name]] if is_read else []


def _read_globally(code: CodeType) -> set[str]:
    inner = (part for part in code.co_consts if isinstance(part, CodeType))
    return set(code.co_names).union(*map(_read_globally, inner))


def _free(table: symtable.SymbolTable) -> set[str]:
    """Names read anywhere in a module that the module does not define."""
    defined = {symbol.get_name() for symbol in table.get_symbols() if symbol.is_assigned()}
    return _global_reads(table) - defined


def _global_reads(table: symtable.SymbolTable) -> set[str]:
    reads = {
        symbol.get_name()
        for symbol in table.get_symbols()
        if symbol.is_global() and symbol.is_referenced()
    }
    return reads.union(*map(_global_reads, table.get_children()))


def _import(name: str, value: Any) -> Import | None:
    """What imports `value` as `name`, None if it cannot be imported."""
    if isinstance(value, ModuleType):
        package, _, last = value.__name__.rpartition(".")
        if package and last == name:
            return Import(package, last, name)
        return None if value.__name__ == "__main__" else Import(value.__name__, None, name)
    module, own = home(value)
    if module is None or own is None or module == "__main__" or "." in own:
        return None
    if module.startswith(_RUNTIME):
        module = _RUNTIME
    try:
        if operator.attrgetter(own)(importlib.import_module(module)) is not value:
            return None
    except (ImportError, AttributeError):
        return None
    return Import(module, own, name)


def _literal(value: Any) -> str | None:
    """An expression for `value`, None if there is none that gives it back exactly."""
    if value is None or type(value) in (bool, int, str, bytes):
        return repr(value)
    if type(value) is float:
        return repr(value) if math.isfinite(value) else f"float({str(value)!r})"
    if type(value) is complex:
        return f"complex({_literal(value.real)}, {_literal(value.imag)})"
    if isinstance(value, np.generic) and value.dtype.kind in "biufc":
        return f"np.{value.dtype.name}({_literal(value.item())})"
    if type(value) is np.ndarray and value.dtype.kind in "biufc":
        items = _literal(value.tolist())
        shape = f".reshape({value.shape})" if value.size == 0 else ""
        text = f"np.array({items}, dtype=np.{value.dtype.name}){shape}"
        return textwrap.fill(text, 90, subsequent_indent="    ", break_long_words=False)
    if type(value) is dict:
        keys, values = _literals(value), _literals(value.values())
        if keys is None or values is None:
            return None
        return "{" + ", ".join(f"{key}: {item}" for key, item in zip(keys, values)) + "}"
    if type(value) in (tuple, list):
        parts = _literals(value)
        if parts is None:
            return None
        if type(value) is list:
            return f"[{', '.join(parts)}]"
        return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
    return None


def _literals(values: Collection[Any]) -> list[str] | None:
    texts = [text for text in map(_literal, values) if text is not None]
    return texts if len(texts) == len(values) else None


def _described(value: object) -> str:
    if isinstance(value, np.ndarray):
        return f"an array of {value.size} numbers"
    if isinstance(value, FunctionType):
        return f"the function {value.__qualname__} of module {value.__module__}"
    return f"a {type(value).__name__}"
