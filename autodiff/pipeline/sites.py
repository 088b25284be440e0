"""A tape for each site, for a derivative that is differentiated again.

Values that one site pushes are of one kind; on one tape for all sites nothing would be known of
what is popped. At each site what was pushed last is popped first, as on the whole tape.

    tape = Tape()               tape = []
                                tape_2 = []
    tape.push((y, k))           tape.append((y, k))
    tape.push(branch)           tape_2.append(branch)
"""

from __future__ import annotations

from typing import Any

import gast

from autodiff.optimize.tape import is_pop, is_push, tape_name
from autodiff.syntax.names import Names, name, store
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import map_children, nodes, statements


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
    own: dict[Any, str] = {}
    for node in told:
        if node.site not in own:
            own[node.site] = names.fresh(tape) if own else tape

    def visit(node: gast.AST) -> Any:
        new = map_children(visit, node)
        if isinstance(node, gast.stmt) and (is_push(node) or is_pop(node)):
            method = "append" if is_push(node) else "pop"
            call = map_children(lambda child: child, new.value)
            call.func = gast.Attribute(value=name(own[node.site]), attr=method, ctx=gast.Load())
            new.value = call
            new.origin = origin_of(node)
        return new

    body: list[gast.stmt] = []
    for statement in tree.body:
        if isinstance(statement, gast.Assign) and _assigns(statement, tape):
            empty = gast.List(elts=[], ctx=gast.Load())
            body.extend(gast.Assign(targets=[store(n)], value=empty) for n in own.values())
        else:
            body.append(visit(statement))
    new: gast.FunctionDef = map_children(lambda child: child, tree)
    new.body = body
    return new


def _assigns(statement: gast.Assign, tape: str) -> bool:
    target = statement.targets[0]
    return isinstance(target, gast.Name) and target.id == tape
