"""Generators: only those whose items do not depend on when they are asked for.

    for v in values():          values_seq = sequence(values())
        ...                     for i in range(len(values_seq)): ...

So a generator runs to its end before the loop begins. That is the same as long as it changes
nothing and reads nothing that the loop changes.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

import gast

from autodiff.analysis.changes import changed_in
from autodiff.analysis.kind import Local, Static, Unknown
from autodiff.analysis.purity import may_change_arguments
from autodiff.analysis.references import has_memory
from autodiff.errors import UnsupportedSyntaxError
from autodiff.runtime import sequence
from autodiff.syntax.names import parameters, reads, writes
from autodiff.syntax.origin import origin_of, place
from autodiff.syntax.walk import of_class, walk
from autodiff.syntax.yielding import yields

if TYPE_CHECKING:
    from autodiff.reverse.reverse import Reverse


def check_generators(reverse: Reverse, statement: gast.stmt) -> None:
    """Refuse a generator that changes something, or reads what the function changes."""
    for call in of_class(_own(statement), gast.Call, gast.GeneratorExp):
        found = _fault(reverse, call) or _unsteady(reverse, call) or _late(reverse, statement, call)
        if found is not None:
            raise UnsupportedSyntaxError(
                f"this generator {found}",
                place(call, origin_of(statement)),
                why="it is run to its end before the loop over its items begins",
                cure="write its loop here, or let it return a list of items that do not depend on "
                "what happens between them",
            )


def _own(statement: gast.stmt) -> list[gast.AST]:
    """The expressions of a statement, those of the statements in it left out."""
    if isinstance(statement, (gast.If, gast.While)):
        return [statement.test]
    if isinstance(statement, gast.For):
        return [statement.iter]
    if isinstance(statement, gast.With):
        return [item.context_expr for item in statement.items]
    return [] if isinstance(statement, (gast.FunctionDef, gast.Try)) else [statement]


def _late(reverse: Reverse, statement: gast.stmt, value: gast.expr) -> str | None:
    """`m = map(f, xs)`, where it is not known when `f` is called, and `f` changes something."""
    if not isinstance(statement, gast.Assign) or statement.value is not value:
        return None
    if id(value) in reverse.consumed:
        return None
    if isinstance(value, gast.Call):
        function = getattr(reverse.kinds.of(value.func), "value", None)
        if function not in (map, filter) and getattr(function, "__module__", "") != "itertools":
            return None
    changed = changed_in(value, reverse.kinds)
    return f"may change `{changed[0]}`" if changed else None


def _fault(reverse: Reverse, call: gast.expr) -> str | None:
    if not isinstance(call, gast.Call):
        return None
    kind = reverse.kinds.of(call.func)
    given = {n for part in (*call.args, *(k.value for k in call.keywords)) for n in reads(part)}
    if isinstance(kind, Local):
        node = kind.node
        if isinstance(node, gast.Lambda) or not yields(node):
            return None
        own = set(parameters(node.args)) | writes(node.body)
        declared = {
            n
            for part in walk(node)
            if isinstance(part, (gast.Nonlocal, gast.Global))
            for n in part.names
        }
        if declared:
            return f"changes the variable `{min(declared)}`"
        changed = sorted(_stored(node) | set(changed_in(call, reverse.kinds)))
        if changed:
            return f"may change `{changed[0]}`"
        read = (reads(node) - own) | given
    elif isinstance(kind, Static) and inspect.isgeneratorfunction(kind.value):
        passed = sorted(n for n in given if has_memory(n, reverse.kinds))
        if passed and may_change_arguments(kind.value):
            return f"may change `{passed[0]}`"
        read = given
    else:
        return None
    lasting = {n for n in read if reverse.aliases.is_changed(n)}
    if isinstance(kind, Local):
        lasting |= (read - given) & reverse.definitions.reassigned
    return f"reads `{min(lasting)}`, which the function changes" if lasting else None


def _unsteady(reverse: Reverse, call: gast.expr) -> str | None:
    """An iterator of which nothing is known, over memory that changes: `np.nditer(b)`."""
    if not isinstance(call, gast.Call) or not call.args:
        return None
    if reverse.kinds.of(call.func) != Static(sequence):
        return None
    if type(reverse.kinds.of(call.args[0])) is not Unknown:
        return None
    changed = {n for n in reads(call.args[0]) if reverse.aliases.is_changed(n)}
    return f"goes over `{min(changed)}`, which the function changes" if changed else None


def _stored(node: gast.FunctionDef) -> set[str]:
    """The names that a function does not bind and whose memory its own statements write."""
    own = writes(node.body)
    found: set[str] = set()
    for part in walk(node.body):
        if isinstance(part, (gast.Subscript, gast.Attribute)):
            if isinstance(part.ctx, (gast.Store, gast.Del)):
                found |= reads(part.value)
    return found - own
