"""From text to a function in the user's live namespace, and from its errors to the user's lines.

A loaded function reads the user's own globals and closure cells, so it sees what the primal sees.
What the compiler adds (the tape, functions of `autodiff.runtime` ...) comes through closure cells
of its own, and the user's module is never written to.
"""

from __future__ import annotations

import ast
import builtins
import linecache
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from types import CellType, CodeType, FunctionType

from autodiff.errors import InternalError, Place
from autodiff.frontend.source import Namespace
from autodiff.locks import TEXTS
from autodiff.syntax.origin import Origin
from autodiff.syntax.quiet import quiet

_SURROUNDINGS = "autodiff"  # begins the qualified names of functions nested in a loaded one
_NOTE = "in the derivative of"
_DEFINITION = re.compile(r"^def (\w+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Loaded:
    """A generated text, and for its lines the places in the user's file that they come from."""

    text: str
    origins: Mapping[int, Origin]


_REGISTRY: dict[str, _Loaded] = {}


def load(
    text: str,
    name: str,
    namespace: Namespace,
    helpers: Mapping[str, object],
    origins: Mapping[int, Origin],
) -> FunctionType:
    """The function that the text defines, as if it stood where the primal stands.

    Args:
        text: the source of one function definition. Where it names itself it means itself.
        name: what it is and where that came from, as in `energy_grad energy.py:12`.
        namespace: globals, cells and defaults of the primal; the globals are never written to.
        helpers: further names and what they mean; a cell stands for a variable that is shared.
        origins: for lines of the text (from 1), the places in the user's file they come from.
    """
    file = _register(f"<autodiff {name}>", _Loaded(text, origins))
    definition = _DEFINITION.search(text)
    if definition is None:
        raise InternalError(f"load: the text defines no function:\n{text}")
    title = definition[1]
    cells = dict(namespace.cells)
    for helper, value in helpers.items():
        cells[helper] = value if isinstance(value, CellType) else CellType(value)
    code = _compile(text, definition, sorted(cells), file)
    itself = cells.setdefault(title, CellType())
    namespace.globals.setdefault("__builtins__", builtins)  # missing in namespaces of ours alone
    loaded = FunctionType(
        code,
        namespace.globals,
        title,
        namespace.defaults or None,
        tuple(cells[free] for free in code.co_freevars),
    )
    if title not in namespace.cells and title not in helpers:
        itself.cell_contents = loaded
    loaded.__kwdefaults__ = dict(namespace.kwdefaults) or None
    loaded.__qualname__ = title
    return loaded


def place_of(code: CodeType) -> str:
    """File and line of a function; of a derivative, those of the function it was made from."""
    found = re.fullmatch(r"<autodiff \S+ (.+?)(#\d+)?>", code.co_filename)
    return found[1] if found else f"{PurePath(code.co_filename).name}:{code.co_firstlineno}"


def origin_in(file: str, line: int) -> Origin | None:
    """The place in the user's file from which a line of a generated text comes."""
    loaded = _REGISTRY.get(file)
    return None if loaded is None else _at(loaded, line)


def origins_of(text: str) -> Mapping[int, Origin]:
    """The places in the user's file from which the lines of a generated text come."""
    found = (own.origins for own in _REGISTRY.values() if own.text == text)
    return next(found, {})


def at_the_users(place: Place | None) -> Place | None:
    """The place in the user's file from which one in a text that we wrote comes; itself else."""
    origin = place
    while origin is not None:
        place, origin = origin, origin_in(origin.file, origin.line)
    return place


def annotate(exception: BaseException) -> None:
    """Note on an exception that came through generated code which line of the user's it stems from.

    It is noted once, however many derivatives the exception leaves. Python 3.10 has no notes;
    there the note is added to the message.
    """
    origin = _innermost(exception)
    if origin is None or getattr(exception, "origin", None) is not None:
        return
    if any(_NOTE in note for note in getattr(exception, "__notes__", ())):
        return
    note = f'{_NOTE}\n  File "{origin.file}", line {origin.line}\n    {origin.text}'
    if sys.version_info >= (3, 11):
        exception.add_note(note)
        return
    arguments = list(exception.args)
    for index, argument in enumerate(arguments):
        if isinstance(argument, str):
            if _NOTE not in argument:
                arguments[index] = f"{argument}\n{note}"
                exception.args = tuple(arguments)
            return


def _register(name: str, loaded: _Loaded) -> str:
    """Give the text a file name under which tracebacks and debuggers find it."""
    with TEXTS:
        file, count = name, 1
        while file in _REGISTRY and _REGISTRY[file].text != loaded.text:
            count += 1
            file = f"{name[:-1]}#{count}>"
        _REGISTRY[file] = loaded
    lines = loaded.text.splitlines(keepends=True)
    # without a modification time, `linecache.checkcache` leaves the entry alone
    linecache.cache[file] = (len(loaded.text), None, lines, file)
    return file


def _compile(text: str, definition: re.Match[str], names: list[str], file: str) -> CodeType:
    """The code of a definition that stands in a function with variables of the given names.

    As text, which takes half as long as by a tree. The lines of the body stay as they are: the
    function around it is on the line before, and what it holds may be indented by one.
    """
    lines = "\n" * (text.count("\n", 0, definition.start()) + 1)
    around = f"def {_SURROUNDINGS}({', '.join(names)}):{lines} {text[definition.start() :]}"
    with quiet():
        code = compile(around, file, "exec", dont_inherit=True)
    for wanted in (_SURROUNDINGS, definition[1]):
        code = next(
            constant
            for constant in code.co_consts
            if isinstance(constant, CodeType) and constant.co_name == wanted
        )
    return _line_higher(code)


def _line_higher(code: CodeType) -> CodeType:
    """The code as if it stood one line higher: its lines are counted from the first one."""
    constants = tuple(
        _line_higher(constant) if isinstance(constant, CodeType) else constant
        for constant in code.co_consts
    )
    return code.replace(co_consts=constants, co_firstlineno=code.co_firstlineno - 1)


def _innermost(exception: BaseException) -> Origin | None:
    """The origin of the last generated line that the exception came through."""
    found = None
    traceback = exception.__traceback__
    while traceback is not None:
        loaded = _REGISTRY.get(traceback.tb_frame.f_code.co_filename)
        if loaded is not None:
            found = _at(loaded, traceback.tb_lineno) or found
        traceback = traceback.tb_next
    return found


def _at(loaded: _Loaded, line: int) -> Origin | None:
    """The origin of the statement to which a line belongs, which may start on an earlier line."""
    start = 0
    for node in ast.walk(ast.parse(loaded.text)):
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0):
            start = max(start, node.lineno)
    return loaded.origins.get(start)
