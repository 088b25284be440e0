"""A tape for each value of each site, for a derivative that is differentiated again.

Values that one site pushes are of one kind; on one tape for all sites nothing would be known of
what is popped. At each site what was pushed last is popped first, as on the whole tape. Of the
values of one site, some may carry derivatives, or be updated in place, and others not.

    tape = Tape()               tape = []
                                tape_2 = []
                                tape_3 = []
    tape.push((y, k))           tape.append(y)
                                tape_2.append(k)
    tape.push(branch)           tape_3.append(branch)
    y, k = tape.pop()           y = tape.pop()
                                k = tape_2.pop()
"""

from __future__ import annotations

from typing import Any

import gast

from autodiff.optimize.tape import is_pop, is_push, tape_name
from autodiff.syntax.names import Names, name, store
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import map_children, nodes, of_class, statements


def sites(tree: gast.FunctionDef, names: Names) -> gast.FunctionDef:
    """The function with lists for the sites of its tape; itself, if it uses the tape otherwise."""
    told = [node for node in statements(tree) if is_push(node) or is_pop(node)]
    tapes = {tape_name(node) for node in told}
    if len(tapes) != 1:
        return tree
    (tape,) = tapes
    used = sum(isinstance(node, gast.Name) and node.id == tape for node in nodes(tree))
    if used != len(told) + 1:  # it is made, pushed on and popped from
        return tree
    own: dict[Any, list[str]] = {}
    for site, width in _widths(told).items():
        own[site] = [names.fresh(tape) if own or n else tape for n in range(width)]

    def visit(node: gast.AST) -> Any:
        if not isinstance(node, gast.stmt) or not (is_push(node) or is_pop(node)):
            return map_children(visit, node)
        tapes = own[node.site]
        (value,) = node.value.args if is_push(node) else node.targets
        return [
            _on_tape(node, *both)
            for both in zip(tapes, [value] if len(tapes) == 1 else value.elts, strict=True)
        ]

    body: list[gast.stmt] = []
    for statement in tree.body:
        if isinstance(statement, gast.Assign) and _assigns(statement, tape):
            empty = gast.List(elts=[], ctx=gast.Load())
            every = [name for tapes in own.values() for name in tapes]
            body.extend(gast.Assign(targets=[store(n)], value=empty) for n in every)
        else:
            found = visit(statement)
            body.extend(found if isinstance(found, list) else [found])
    new: gast.FunctionDef = map_children(lambda child: child, tree)
    new.body = body
    return new


def _assigns(statement: gast.Assign, tape: str) -> bool:
    target = statement.targets[0]
    return isinstance(target, gast.Name) and target.id == tape


def _widths(told: list[gast.stmt]) -> dict[Any, int]:
    """How many values each site pushes: one, where a tuple comes back otherwise than it went."""
    found: dict[Any, set[int]] = {}
    for node in told:
        (value,) = node.value.args if is_push(node) else node.targets
        is_plain = isinstance(value, gast.Tuple) and not of_class(value.elts, gast.Starred)
        found.setdefault(node.site, set()).add(len(value.elts) if is_plain else 1)
    return {site: widths.pop() if len(widths) == 1 else 1 for site, widths in found.items()}


def _on_tape(node: gast.stmt, tape: str, value: gast.expr) -> gast.stmt:
    """The push or pop of one value."""
    method = "append" if is_push(node) else "pop"
    function = gast.Attribute(value=name(tape), attr=method, ctx=gast.Load())
    call = gast.Call(func=function, args=[value] if is_push(node) else [], keywords=[])
    new: gast.stmt = (
        gast.Expr(value=call) if is_push(node) else gast.Assign(targets=[value], value=call)
    )
    new.origin = origin_of(node)
    return new
