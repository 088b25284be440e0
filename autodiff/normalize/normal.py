"""The normal form of a function: everything before kinds come into play, kept per function."""

from __future__ import annotations

from typing import Any

from autodiff.frontend.source import Source

_EXPECTED = (
    *(range, len, min, zip, enumerate, reversed, map, filter),
    *(sum, max, list, dict, tuple, sorted),
)


def shadowed(namespace: Any) -> frozenset[str]:
    """Names of builtins that mean something else where the function lives."""
    if namespace is None:
        return frozenset()
    return frozenset(
        builtin.__name__
        for builtin in _EXPECTED
        if namespace.globals.get(builtin.__name__, builtin) is not builtin
        or builtin.__name__ in namespace.cells
    )


def defaults_of(read: Source) -> dict[str, Any]:
    """The default value of each parameter that has one."""
    arguments = read.tree.args
    positional = [a.id for a in (*arguments.posonlyargs, *arguments.args)]
    values = read.namespace.defaults or ()
    found = dict(zip(reversed(positional), reversed(values)))
    found.update(read.namespace.kwdefaults or {})
    return found
