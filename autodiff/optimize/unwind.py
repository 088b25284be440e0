"""A loop that only takes from the tape goes over the tape."""

from __future__ import annotations

import gast

from autodiff.analysis.exposure import exposed_reads
from autodiff.optimize.change import Block, changed, filled, is_inert
from autodiff.optimize.effects import effects, is_generated
from autodiff.optimize.facts import Facts
from autodiff.optimize.measure import fits
from autodiff.optimize.tape import Pair, is_pop, is_push, pairs, tape_name
from autodiff.syntax.names import Names, all_names, name, reads, store
from autodiff.syntax.walk import of_class, statements

_PLAIN = 3
"""Mentions of a tape: made, pushed, popped."""
_IN_PULLBACK = 7
"""And in a pullback: parameter, default, `tape = Tape(tape)`."""


def unwind(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """Where a loop pops what one loop pushed, and nothing else is on the tape, iterate over it.

        for _ in range(steps):                 for x in reversed(tape):
            x = tape.pop()                         y_bar = y_bar * x
            y_bar = y_bar * x

    The tape is not emptied, so that a pullback needs no copy of it.
    """
    found = pairs(tree)
    if len(found) != 1:
        return tree
    [pair] = found.values()
    if sum(1 for node in statements(tree) if is_push(node) or is_pop(node)) != 2:
        return tree
    tape = tape_name(pair.push)
    loops = [n for n in tree.body if isinstance(n, (gast.For, gast.While))]
    if tape_name(pair.pop) != tape or not any(pair.push in loop.body for loop in loops):
        return tree
    names = Names(all_names(tree))
    mentions = sum(node.id == tape for node in of_class(tree, gast.Name))
    for place, node in enumerate(tree.body):
        new: gast.stmt | None = None
        if isinstance(node, gast.For) and mentions == _PLAIN:
            new = _over(node, pair, tree.body[place + 1 :], facts, names)
        elif is_generated(node, facts) and mentions == _IN_PULLBACK:
            new = _unwound(node, pair, facts, names)
        if new is not None:
            body = [*tree.body[:place], new, *tree.body[place + 1 :]]
            result: gast.FunctionDef = changed(tree, body=body)
            return result
    return tree


def _unwound(
    pullback: gast.FunctionDef, pair: Pair, facts: Facts, names: Names
) -> gast.FunctionDef | None:
    """The pullback, without its own copy of the tape."""
    tape = tape_name(pair.push)
    arguments = pullback.args
    plain = [argument.id for argument in arguments.args]
    if tape not in plain:
        return None
    given = plain.index(tape)
    default = given - len(plain) + len(arguments.defaults)
    body = [node for node in pullback.body if not _copies(node, tape)]
    if default < 0 or len(body) != len(pullback.body) - 1:
        return None
    for place, node in enumerate(body):
        if isinstance(node, gast.For):
            new = _over(node, pair, body[place + 1 :], facts, names)
            if new is not None:
                args, defaults = list(arguments.args), list(arguments.defaults)
                del args[given], defaults[default]
                body[place] = new
                result: gast.FunctionDef = changed(
                    pullback, args=changed(arguments, args=args, defaults=defaults), body=body
                )
                return result
    return None


def _copies(node: gast.stmt, tape: str) -> bool:
    """Whether a statement is `tape = Tape(tape)`."""
    return (
        isinstance(node, gast.Assign)
        and isinstance(node.targets[0], gast.Name)
        and node.targets[0].id == tape
        and isinstance(node.value, gast.Call)
        and tape in reads(node.value.args)
    )


def _over(
    loop: gast.For, pair: Pair, following: Block, facts: Facts, names: Names
) -> gast.For | None:
    """The loop over the tape, from its end; None if it does more than count and begin with the pop.

    `following` is what follows the loop in its block.
    """
    first = next((node for node in loop.body if not is_inert(node)), None)
    if first is None or first is not pair.pop or loop.orelse:
        return None
    if not isinstance(loop.target, gast.Name):
        return None
    if not all(isinstance(target, gast.Name) for target in pair.targets):
        return None
    if not effects(loop.iter, facts).droppable or not _counts(loop.iter):
        return None
    needed = reads(loop.body)
    exposed_reads(following, set(), needed)
    if loop.target.id in needed:
        return None
    back = gast.Call(func=name("reversed"), args=[name(tape_name(pair.pop))], keywords=[])
    rest = [node for node in loop.body if node is not first]
    result: gast.For = changed(loop, target=pair.pop.targets[0], iter=back, body=filled(rest))
    if not fits(result, 1):
        values = names.fresh("values")
        unpacked = changed(pair.pop, value=name(values), site=None)
        result = changed(result, target=store(values), body=[unpacked, *rest])
    return result


def _counts(iterable: gast.expr) -> bool:
    """Whether the iterable is `range(...)` or `reversed(range(...))`."""
    while isinstance(iterable, gast.Call) and isinstance(iterable.func, gast.Name):
        if iterable.func.id == "range":
            return True
        if iterable.func.id != "reversed":
            return False
        iterable = iterable.args[0]
    return False
