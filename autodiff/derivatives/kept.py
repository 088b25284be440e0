"""Derivatives that are kept from one process to the next: their text, and what it needs to run.

    what it reads, request, versions  ->  key  ->  texts, and where their helpers are

What another process finds under a key is what the compiler would write there: the key says all that
the function reads (`program.py`), and what the compiler has read is compared with that before
anything is kept. A file of ours that changed makes other keys.
"""

from __future__ import annotations

import hashlib
import operator
import os
import pickle
import platform
import sys
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from autodiff.derivatives import folder
from autodiff.derivatives.program import Program, Unkept, at_home, is_root, program_of, spoken
from autodiff.frontend.source import Namespace
from autodiff.loader import load
from autodiff.pipeline.compiled import Compiled, checked_real, holding
from autodiff.pipeline.request import Request
from autodiff.rules.home import module_of

Sizes = frozenset[Any]


@dataclass(frozen=True, slots=True)
class Place:
    """What stands under a key: the program and the request that it is made of."""

    program: Program
    request: Request
    key: str


def place_for(function: FunctionType, request: Request) -> Place | None:
    """Where a derivative is kept; None where nothing is, or it is not sure what it reads."""
    if folder.folder() is None or "AUTODIFF_VERIFY" in os.environ:
        return None
    if request.backend is not None or request.composed:  # Numba keeps its own
        return None
    try:
        program = program_of(function)
        words = [*_versions(), spoken(request), *program.words]
    except (Unkept, OSError):
        return None
    parts = sorted(name for name in sys.modules if name.startswith("scipy"))  # whose rules are read
    words += [*parts, str(getattr(sys.modules.get("scipy"), "__version__", ""))]
    return Place(program, request, hashlib.sha256("\0".join(words).encode()).hexdigest())


@cache
def _versions() -> list[str]:
    """What decides beside the program: versions, and whether files of ours have changed."""
    package = sys.modules[__name__.partition(".")[0]]
    own, *others = package.__path__  # in a source tree the templates lie in a second folder
    places = [own, *(os.path.join(other, "templates") for other in others)]
    specs = map(find_spec, ("gast", "astor"))
    places += [os.path.dirname(spec.origin) for spec in specs if spec and spec.origin]
    files = sorted(file for place in places for file in _files(place))
    return [sys.version, sys.platform, platform.machine(), np.__version__, *files]


def _files(place: str) -> Iterator[str]:
    """What tells whether a file of a folder has changed, for each."""
    for entry in os.scandir(place):
        if entry.is_dir():
            yield from _files(entry.path)
        elif entry.name.endswith(".py"):
            at = entry.stat()
            yield f"{entry.path} {at.st_size} {at.st_mtime_ns}"


def kept(place: Place) -> Compiled | Sizes | None:
    """The derivative that was kept, or the sizes that its function tells; None if there is none."""
    data = folder.read(place.key)
    try:
        found = None if data is None else pickle.loads(data)
        return _again(place, found) if isinstance(found, dict) else found
    except Exception:  # what cannot be read again is compiled again
        return None


def _again(place: Place, found: dict[str, Any]) -> Compiled:
    """The derivative from what was pickled."""
    made: list[FunctionType] = []
    functions = place.program.functions
    for name, text, file, own, helpers, origins in found["made"]:
        by = {helper: _value(ref, made, functions) for helper, ref in helpers.items()}
        space = Namespace(vars(import_module(file)))
        if own is not None:
            held = functions[own].__defaults__ or (), functions[own].__kwdefaults__ or {}
            space = Namespace(space.globals, {}, *held)
        made.append(load(text, name, space, by, origins))
    spaces = [(vars(sys.modules[file]), name) for file, name in found["outside"]]
    guards = holding([(Namespace(space), name, space[name]) for space, name in spaces], {})
    loaded, power = made[found["main"]], found["power"]
    later: Any = Later(weakref.ref(functions[0]), place.request)
    compiled = Compiled(loaded, found["text"], later, guards, **found["rest"])
    if power is None:
        return compiled
    return replace(compiled, function=checked_real(loaded, power), generated=(loaded,))


def keep(place: Place, new: Compiled | Sizes) -> None:
    """Keep a derivative, if it reads what its place says, and nothing else; or what it tells."""
    try:
        what = _described(place.program, new) if isinstance(new, Compiled) else new
    except Unkept:
        return
    folder.write(place.key, pickle.dumps(what))


def _described(program: Program, compiled: Compiled) -> dict[str, Any]:
    """What is pickled."""
    made, functions = compiled.made, program.functions
    if made is None or made.others or compiled.followed:
        raise Unkept("other checks")
    for owner, _ in made.members:
        if not (is_root(owner.__name__) if isinstance(owner, ModuleType) else at_home(owner)):
            raise Unkept(owner.__name__)
    outside = [
        (_file(space), name)
        for space, name, _ in made.outside
        if name in space.globals and not _file(space).startswith("autodiff.")
    ]
    if not all(name in program.names.get(file, ()) for file, name in outside):
        raise Unkept("another name")
    loads, loaded = [], [own[-1] for own in made.loads]
    for text, name, space, helpers, origins, _ in made.loads:
        own = next((k for k, f in enumerate(functions) if _has(f, space)), None)
        if own is None and (space.defaults or space.kwdefaults):
            raise Unkept("defaults")
        refs = {key: _reference(value, loaded, functions) for key, value in helpers.items()}
        lines = {line: replace(origin, entry=None) for line, origin in origins.items()}
        loads.append((name, text, _file(space), own, refs, lines))
    main = loaded.index((*compiled.generated, compiled.function)[0])
    rest = {name: getattr(compiled, name) for name in ("batched", "least", "unmarked")}
    power = None if made.power is None else replace(made.power, entry=None)
    found = {"made": loads, "main": main, "text": compiled.source, "outside": outside}
    return {**found, "rest": rest, "power": power}


def _has(function: FunctionType, space: Namespace) -> bool:
    """Whether a function has the defaults of a text."""
    own = function.__defaults__ or (), function.__kwdefaults__ or {}
    return function.__globals__ is space.globals and own == (space.defaults, space.kwdefaults)


def _file(space: Namespace) -> str:
    """The module whose names a text reads, which reads no others."""
    file = str(space.globals.get("__name__"))
    own = getattr(sys.modules.get(file), "__dict__", None)
    if space.cells or space.imports or own is not space.globals:
        raise Unkept(file)
    return file


def _reference(value: Any, made: list[Any], own: list[FunctionType]) -> tuple[str, Any]:
    """How another process comes to what a text names."""
    if isinstance(value, ModuleType):
        if is_root(value.__name__) and sys.modules.get(value.__name__) is value:
            return "module", value.__name__
    elif isinstance(value, FunctionType) and (value in made or value in own):
        return ("made", made.index(value)) if value in made else ("own", own.index(value))
    elif callable(value) and is_root(module_of(value)):
        return "home", at_home(value)
    spoken(value)
    return "value", value


def _value(reference: tuple[str, Any], made: list[Any], own: list[FunctionType]) -> Any:
    kind, what = reference
    if kind == "home":
        return operator.attrgetter(what[1])(import_module(what[0]))
    if kind == "module":
        return import_module(what)
    return {"made": made, "own": own}[kind][what] if kind != "value" else what


@dataclass(frozen=True, slots=True)
class Later:
    """The passes of what was kept: it is compiled for whoever looks at them."""

    function: Callable[[], Any]
    request: Request

    def _stages(self) -> Any:
        from autodiff.pipeline.compiler import compile  # noqa: PLC0415 (most of what there is)

        return compile(self.function(), self.request).stages

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._stages())

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # what `copy` and others ask for
            raise AttributeError(name)
        return getattr(self._stages(), name)
