"""What a function reads, written down so that another process can tell whether it reads the same.

Only programs are taken of which that is sure: a function, functions of modules that it calls by
name, numbers and texts that they read, and what NumPy, SciPy and `math` hold under the names that
they use. All else is `Unkept`, and compiled in each process: classes, objects, closures, imports
inside of functions, builtins that look around (`globals`, `getattr`), rules of the user's.
"""

from __future__ import annotations

import builtins
import dis
import linecache
import operator
import sys
from dataclasses import dataclass, fields
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from autodiff.kinds import kind as kinds
from autodiff.kinds.size import Dim
from autodiff.pipeline.request import Options, Request
from autodiff.rules.extended import is_extended
from autodiff.rules.home import home

ROOTS = ("numpy", "scipy", "math", "cmath", "operator", "autodiff", "builtins", "_operator")
"""Libraries that are what their versions say; `_operator` is where C has the functions of one."""
_CLOSED = frozenset(
    "abs all any bool complex dict divmod enumerate filter float int isinstance len list map max"
    " min next pow range reversed round set slice sorted str sum tuple zip".split()
)
"""Builtins that read nothing but what they are given."""
_DATA = (
    *(kinds.Scalar, kinds.Array, kinds.Record, kinds.Sequence, kinds.Mapping, kinds.Static),
    *(kinds.Text, Dim, Options, Request),
)
_HOLDERS = (tuple, list, dict)
_LITERALS = (type(None), bool, int, float, complex, str, bytes, type(Ellipsis))
_READS = ("LOAD_GLOBAL", "LOAD_NAME")
_REACHES = ("IMPORT", "STORE_GLOBAL", "DELETE_GLOBAL", "LOAD_BUILD_CLASS", "LOAD_FROM_DICT")


def is_root(module: str) -> bool:
    """Whether a module is one of these libraries'."""
    return module.partition(".")[0] in ROOTS


class Unkept(Exception):
    """What another process cannot be sure of."""


def spoken(value: Any) -> str:
    """A value in words that no other value has."""
    cls = type(value)
    if cls in _LITERALS:
        return f"{cls.__name__} {value!r}"
    if cls is tuple:
        return f"({', '.join(map(spoken, value))})"
    if cls is frozenset:
        return f"{{{', '.join(sorted(map(spoken, value)))}}}"
    if cls is CodeType:
        own = (value.co_code, value.co_consts, value.co_names, value.co_varnames)
        more = value.co_freevars, value.co_cellvars, value.co_flags, value.co_argcount
        only = value.co_posonlyargcount, value.co_kwonlyargcount, value.co_name
        place = value.co_filename, value.co_firstlineno, value.co_linetable
        exceptions = getattr(value, "co_exceptiontable", b"")
        return f"code {spoken((*own, *more, *only, *place, exceptions))}"
    if cls in _DATA:
        return f"{cls.__name__}({', '.join(spoken(getattr(value, f.name)) for f in fields(value))})"
    if isinstance(value, type) and value in _HOLDERS:
        return f"class {value.__name__}"
    if cls.__module__ == "autodiff.core.step":
        return f"Step({', '.join(spoken(getattr(value, f.name)) for f in fields(value))})"
    raise Unkept(f"a {cls.__name__}")


def at_home(value: Any) -> tuple[str, str]:
    """The module of a library that holds a value, and its name there."""
    module, own = home(value)
    if module is None or own is None or not is_root(module):
        raise Unkept(f"{own} of {module}")
    try:
        found = operator.attrgetter(own)(sys.modules[module])
    except (AttributeError, KeyError):
        raise Unkept(f"{own} of {module}") from None
    if found is not value:
        raise Unkept(f"{own} of {module}")
    return module, own


@dataclass(slots=True)
class Program:
    """A function, those that it calls, and what they read: `words` say all of it.

    names: of each module, the names that are read there.
    """

    functions: list[FunctionType]
    words: list[str]
    names: dict[str, set[str]]
    modules: dict[str, ModuleType]
    attributes: set[str]


def program_of(function: FunctionType) -> Program:
    """The program, or `Unkept`."""
    if is_extended():
        raise Unkept("rules of the user's")
    program = Program([], [], {}, {}, set())
    _take(program, function)
    waiting = [*program.modules.values()]
    while waiting:
        module = waiting.pop()
        for name in sorted(program.attributes & vars(module).keys()):
            held = vars(module)[name]
            if isinstance(held, ModuleType):
                waiting += _module(program, held)
            elif isinstance(held, _LITERALS):
                program.words.append(f"{module.__name__}.{name} = {spoken(held)}")
            else:
                program.words.append(f"{module.__name__}.{name} is {at_home(held)}")
    return program


def _take(program: Program, function: FunctionType) -> None:
    if function in program.functions:
        return
    space, code = function.__globals__, function.__code__
    module = sys.modules.get(function.__module__)
    own = module is not None and vars(module) is space and space.get("__name__") == module.__name__
    if not own or function.__closure__ or function.__dict__ or "." in _scope(function):
        raise Unkept(function.__qualname__)
    known = space.get("__builtins__", builtins)
    if known is not builtins and known is not vars(builtins):
        raise Unkept("builtins")
    program.functions.append(function)
    defaults = function.__defaults__, tuple((function.__kwdefaults__ or {}).items())
    text = _text(code)
    if not text:
        raise Unkept("no text")
    program.words += [function.__module__, function.__qualname__, spoken(defaults)]
    program.words += [spoken(code), *text]
    for name in sorted(_names(program, code)):
        program.names.setdefault(function.__module__, set()).add(name)
        if name not in space:
            if name not in _CLOSED and not _is_error(name):
                raise Unkept(name)
            at_home(vars(builtins)[name])
            continue
        held = space[name]
        if isinstance(held, ModuleType):
            _module(program, held)
            program.words.append(f"{name} is {held.__name__}")
        elif isinstance(held, FunctionType) and not is_root(held.__module__ or ""):
            program.words.append(f"{name} is {held.__module__}.{held.__qualname__}")
            _take(program, held)
        elif isinstance(held, (FunctionType, BuiltinFunctionType, np.ufunc, type)):
            program.words.append(f"{name} is {at_home(held)}")
        else:
            program.words.append(f"{name} = {spoken(held)}")


def _scope(function: FunctionType) -> str:
    return function.__qualname__.rpartition("<locals>.")[2]


def _is_error(name: str) -> bool:
    held = vars(builtins).get(name)
    return isinstance(held, type) and issubclass(held, BaseException)


def _module(program: Program, module: ModuleType) -> list[ModuleType]:
    """Keeps a module in mind; it is in the list if it is new."""
    name = module.__name__
    if not is_root(name) or sys.modules.get(name) is not module:
        raise Unkept(name)
    if name in program.modules:
        return []
    program.modules[name] = module
    return [module]


def _names(program: Program, code: CodeType) -> set[str]:
    """The globals that code reads; the attributes that it asks for go to the program."""
    found = set()
    for each in dis.get_instructions(code):
        if each.opname.startswith(_REACHES):
            raise Unkept(each.opname)
        if each.opname in _READS:
            found.add(each.argval)
    program.attributes |= set(code.co_names) - found
    if any(name.startswith("__") for name in code.co_names):
        raise Unkept("what an object is made of")
    for part in code.co_consts:
        if isinstance(part, CodeType):
            found |= _names(program, part)
    return found


def _text(code: CodeType) -> list[str]:
    """The lines of the file that a function stands on."""
    inner = [code]
    for each in inner:
        inner += [part for part in each.co_consts if isinstance(part, CodeType)]
    last = max(line for each in inner for _, _, line in each.co_lines() if line is not None)
    return linecache.getlines(code.co_filename)[code.co_firstlineno - 1 : last]
