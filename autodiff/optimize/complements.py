"""Two masks that leave out what the other lets through are one choice."""

from __future__ import annotations

import gast

from autodiff.optimize import literals
from autodiff.optimize.change import Block, changed, map_blocks, map_inner, unchanged
from autodiff.optimize.facts import Facts
from autodiff.optimize.sections import map_reverse
from autodiff.syntax.emit import is_comment
from autodiff.syntax.names import reads
from autodiff.syntax.walk import of_class, same

_SCOPES = (gast.FunctionDef, gast.ClassDef, gast.Lambda)


def complements(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """What is added up of both branches of a `np.where` in the reverse sweep is one `np.where`.

        x_bar = np.where(c, 0.0, e)
        x_bar += np.where(c, f, 0.0)      becomes      x_bar = np.where(c, f, e)

    For masks that rules wrote; 0 is not added to what was chosen, so a zero may have another sign.
    """
    if not any(part.__dict__.get("masks") for part in of_class(tree, gast.Call, gast.IfExp)):
        return tree

    def part(node: gast.AST) -> gast.AST:
        if isinstance(node, _SCOPES):
            return node
        new: gast.AST = map_inner(part, node)
        if isinstance(new, gast.BinOp) and isinstance(new.op, gast.Add):
            return _joined(new.left, new.right) or new
        return new

    def statement(node: gast.stmt) -> gast.stmt:
        new: gast.stmt = map_blocks(_paired, part(node))
        return new

    found = map_reverse(statement, tree, facts)
    body = _paired(found.body)
    return found if unchanged(body, found.body) else changed(found, body=body)


def _paired(block: Block) -> Block:
    """The block with `t = mask; t += mask` as one assignment."""
    new: Block = []
    for node in block:
        last = next((k for k in reversed(range(len(new))) if not is_comment(new[k])), None)
        joined = _summed(new[last], node) if last is not None else None
        if joined is None or last is None:
            new.append(node)
        else:
            new[last] = joined
    return block if unchanged(new, block) else new


def _summed(first: gast.stmt, second: gast.stmt) -> gast.stmt | None:
    if not isinstance(first, gast.Assign) or not isinstance(second, gast.AugAssign):
        return None
    target, again = first.targets[0], second.target
    if not isinstance(target, gast.Name) or not isinstance(again, gast.Name):
        return None
    if target.id != again.id or not isinstance(second.op, gast.Add):
        return None
    if target.id in reads(second.value) or target.id in reads(first.value):
        return None
    value = _joined(first.value, second.value)
    result: gast.stmt | None = changed(first, value=value) if value is not None else None
    return result


def _joined(one: gast.expr, two: gast.expr) -> gast.expr | None:
    """The choice that the sum of two masks comes to."""
    first, second = _sides(one), _sides(two)
    if first is None or second is None or not same(first[0], second[0]):
        return None
    if type(one) is not type(two):
        return None
    if literals.number(first[1]) == 0 and literals.number(second[2]) == 0:
        body, orelse = second[1], first[2]
    elif literals.number(first[2]) == 0 and literals.number(second[1]) == 0:
        body, orelse = first[1], second[2]
    else:
        return None
    result: gast.expr
    if isinstance(one, gast.IfExp):
        result = changed(one, body=body, orelse=orelse)
    else:
        result = changed(one, args=[first[0], body, orelse])
    return result


def _sides(node: gast.expr) -> tuple[gast.expr, gast.expr, gast.expr] | None:
    """Condition and alternatives of a mask that a rule wrote."""
    if not getattr(node, "masks", False):
        return None
    if isinstance(node, gast.IfExp):
        return node.test, node.body, node.orelse
    if isinstance(node, gast.Call) and len(node.args) == 3 and not node.keywords:
        return node.args[0], node.args[1], node.args[2]
    return None
