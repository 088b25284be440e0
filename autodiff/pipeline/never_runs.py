"""Loops that never run, whatever the function is given: `for k in range(0)`, `while False`.

What they read before it is assigned has no kind that anybody could find, and where the test is
false in the text Python compiles no body: Numba, which takes that, misses what is assigned there.
"""

from __future__ import annotations

from collections import Counter

import gast

from autodiff.analysis.decided import decided
from autodiff.analysis.kind import Scalar, Static
from autodiff.analysis.known import Kinds
from autodiff.syntax.names import reads
from autodiff.syntax.walk import of_class


def never_runs(
    node: gast.stmt, tree: gast.FunctionDef, kinds: Kinds, constants: frozenset[str]
) -> bool:
    """Whether a statement of the function is a loop that may be left out.

    `constants` are the names that hold what the function itself writes out.

        for k in range(0): ...
        for k in reversed(range(3, 1)): ...
        while n < 9 and 0.2 > 0.5: ...
    """
    if not isinstance(node, (gast.For, gast.While)) or node.orelse:
        return False
    parts = [_gone_over(node.iter, kinds)] if isinstance(node, gast.For) else _parts(node.test)
    for part in parts:
        if reads(part) & kinds.local <= constants and decided(part, kinds) is False:
            return _is_alone(node, tree)
        if not _compares_numbers(part, kinds):
            return False
    return False


def _gone_over(iterable: gast.expr, kinds: Kinds) -> gast.expr:
    """What a loop goes over, in whatever direction."""
    function = kinds.of(iterable.func) if isinstance(iterable, gast.Call) else None
    if isinstance(function, Static) and function.value is reversed and len(iterable.args) == 1:
        return iterable.args[0]
    return iterable


def _parts(test: gast.expr) -> list[gast.expr]:
    """Expressions of which each is asked for only if those before it are true."""
    both = isinstance(test, gast.BoolOp) and isinstance(test.op, gast.And)
    return test.values if both else [test]


def _compares_numbers(test: gast.expr, kinds: Kinds) -> bool:
    """Whether it may be left out: it raises nothing and changes nothing."""
    if not isinstance(test, gast.Compare):
        return False
    return all(
        isinstance(side, gast.Constant)
        or isinstance(side, gast.Name)
        and isinstance(kinds.of(side), Scalar)
        for side in (test.left, *test.comparators)
    )


def _is_alone(loop: gast.stmt, tree: gast.FunctionDef) -> bool:
    """Whether no name that only the loop binds is read outside: it would be a global then."""

    def count(node: gast.AST, is_read: bool) -> Counter[str]:
        names = of_class(node, gast.Name)
        return Counter(n.id for n in names if isinstance(n.ctx, gast.Load) is is_read)

    bound, read = count(tree, False), count(tree, True)
    within = count(loop, True)
    only = (name for name, times in count(loop, False).items() if bound[name] == times)
    return all(read[name] == within[name] for name in only)
