"""`try` and `with`, reversed: each clause on its own, and what half a body leaves behind.

What a body assigned before an exception is there afterwards, though the rest of the body never ran.
Such a value has no adjoint code of its own: where it could carry a derivative on, it is refused.
"""

from __future__ import annotations

import contextlib
import decimal
import functools
import threading
import warnings
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from autodiff.analysis.exposure import exposed_reads
from autodiff.analysis.halfway import changed_by, halfway
from autodiff.analysis.kind import Array, Mapping, Record, Scalar, Sequence, Static
from autodiff.errors import UnsupportedSyntaxError
from autodiff.normalize.structure.jumps import falls_through
from autodiff.reverse.branches import alternatives
from autodiff.reverse.items import Attempt, Block, Item
from autodiff.syntax.names import caught, reads, writes
from autodiff.syntax.origin import origin_of, place

if TYPE_CHECKING:
    from autodiff.reverse.reverse import Reverse

_HONEST: tuple[Any, ...] = (
    np.errstate,
    np.printoptions,
    warnings.catch_warnings,
    contextlib.closing,
    contextlib.nullcontext,
    contextlib.redirect_stderr,
    contextlib.redirect_stdout,
    decimal.localcontext,
    open,
)
_LOCKS = (type(threading.Lock()), type(threading.RLock()), threading.Condition)


def attempt(reverse: Reverse, statement: gast.Try) -> Item:
    """A `try`: the clause that ran is reversed. Handlers that always raise need no reverse."""
    falling = [handler for handler in statement.handlers if falls_through(handler.body)]
    for handler in falling:
        check_caught(reverse, handler)
    if falling:
        check_halfway(reverse, statement, falling)
    final = reverse.block(statement.finalbody)
    orelse: Block = []

    def completed() -> Block:
        orelse.extend(reverse.block(statement.orelse))
        return reverse.block(statement.body)

    flag = None
    if len(falling) == 1:
        flag = reverse.flag("completed", Scalar("bool"))
    elif falling:
        flag = reverse.flag("clause", Scalar("int"))
    handled = [functools.partial(reverse.block, handler.body) for handler in falling]
    body, *rest = alternatives(reverse, statement, [completed, *handled])
    blocks = dict(zip(map(id, falling), rest))
    handlers = [blocks.get(id(handler)) for handler in statement.handlers]
    return Attempt(statement, body, orelse, handlers, final, flag, origin_of(statement))


def check_caught(reverse: Reverse, handler: gast.ExceptHandler) -> None:
    """A derivative that leaves the body inside an exception is not followed."""
    for error in caught(handler) & reverse.active:
        raise UnsupportedSyntaxError(
            f"the exception `{error}` carries a derivative out of the body of a try statement",
            origin_of(handler.body[0]),
            why="autodiff does not follow values that are raised",
            cure=f"compute the value again instead of reading it from `{error}`",
        )


def check_halfway(
    reverse: Reverse, statement: gast.Try, falling: list[gast.ExceptHandler]
) -> None:
    """Refuse what half a body computed and its handlers, or what follows them, would use."""
    left = halfway(statement.body, reverse.kinds)
    check_assigned(reverse, statement, falling, left)
    needed = used_besides(reverse, statement)
    exposed: set[str] = set()
    own = exposed_reads(statement.body, set(), exposed)
    names = reverse.kinds.names
    # the reverse sweep may read what was there before, also what nothing reads any more
    seen = reverse.active & (reverse.before[id(statement)] | needed & writes(statement.body))
    for part in left:
        for base in sorted(changed_by(part)):
            sharing = set(reverse.aliases.sharing(base)) | {base}
            if isinstance(names.get(base), (Record, Sequence, Mapping)):
                # no array of its items is changed with a container
                sharing = {n for n in sharing if not isinstance(names.get(n), (Array, Scalar))}
            outside = sharing & seen - (own - exposed)
            if outside:
                raise half_changed(min(outside), part)


def check_assigned(
    reverse: Reverse,
    statement: gast.Try,
    falling: list[gast.ExceptHandler],
    left: list[gast.stmt],
) -> None:
    """Refuse names that half a body assigned (by the statements `left`), if they may be used."""
    needed = used_besides(reverse, statement)
    for part in left:
        for identifier in sorted(writes(part) & reverse.active):
            for handler in falling:
                exposed: set[str] = set()
                defined = exposed_reads(handler.body, caught(handler), exposed)
                if identifier in exposed or (identifier in needed and identifier not in defined):
                    raise half_assigned(identifier, part, statement)


def half_assigned(identifier: str, part: gast.AST, statement: gast.Try) -> Exception:
    return UnsupportedSyntaxError(
        f"`{identifier}` carries a derivative, and an exception may come after its assignment",
        origin_of(part) or origin_of(statement),
        why="what follows the exception would use the value that half of the try body computed",
        cure=f"assign `{identifier}` in the except clause as well, or at the end of the try body",
    )


def half_changed(identifier: str, part: gast.AST) -> Exception:
    return UnsupportedSyntaxError(
        f"`{identifier}` carries a derivative and is updated in place where an exception may "
        "follow that is caught",
        origin_of(part),
        why="the update stays, though the rest of the try body does not run",
        cure="build a new value, or make the update the last statement of the try body",
    )


def used_besides(reverse: Reverse, statement: gast.Try) -> set[str]:
    """Names that are read after the body of a `try`, in whatever way, or by its next run."""
    found: set[str] = set()
    exposed_reads([statement], set(), found)
    found |= reads(statement.finalbody)

    def visit(block: list[gast.stmt]) -> None:
        for other in block:
            if other is statement:
                continue
            if not isinstance(other, (gast.If, gast.For, gast.While, gast.With, gast.Try)):
                found.update(reads(other))
                continue
            for header in ("test", "iter"):
                if hasattr(other, header):
                    found.update(reads(getattr(other, header)))
            found.update(reads(list(getattr(other, "items", []))))
            for field in ("body", "orelse", "finalbody"):
                visit(getattr(other, field, []))
            for handler in getattr(other, "handlers", []):
                visit(handler.body)

    visit(reverse.definitions.body)
    return found


def runs_to_the_end(reverse: Reverse, statement: gast.With) -> bool:
    """Whether a `with` that is left without an exception ran its whole body.

    Raises for a manager that is known to swallow exceptions.
    """
    manager = statement.items[0].context_expr
    called = manager.func if isinstance(manager, gast.Call) else manager
    kind = reverse.kinds.known(called)
    value = kind.value if isinstance(kind, Static) else None
    if value is contextlib.suppress and writes(statement.body) & reverse.active:
        raise UnsupportedSyntaxError(
            "a value that carries a derivative is computed under contextlib.suppress",
            place(manager, origin_of(statement)),
            why="if an exception is swallowed, only half of its computation has run",
            cure="use try and except, and assign the value in both",
        )
    if isinstance(manager, gast.Call):
        return any(value is honest for honest in _HONEST)
    if not isinstance(manager, gast.Name) or manager.id in reverse.kinds.local:
        return False
    try:
        return isinstance(reverse.kinds.scope.lookup(manager.id), _LOCKS)
    except (KeyError, ValueError):
        return False
