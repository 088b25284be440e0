"""What is put into a list only to be taken out again is a variable from the beginning."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import gast

from autodiff.optimize.change import Block, changed, map_blocks, unchanged
from autodiff.optimize.effects import outer_names
from autodiff.optimize.facts import Facts
from autodiff.syntax.names import reads
from autodiff.syntax.walk import of_class, statements

_SIMPLE = (gast.Name, gast.Constant)
_DISPLAYS = (gast.List, gast.Tuple)


def displays(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """Where a list or tuple of the compiler's is only taken apart, its items are variables.

        t = [g[:k], g[k:]]
        x_bar = t[0]            becomes          x_bar = g[:k]
        y_bar = t[1]                             y_bar = g[k:]

    >>> import ast, gast, textwrap
    >>> from autodiff.optimize.facts import Facts
    >>> tree = gast.parse(textwrap.dedent('''
    ...     def f(g, k):
    ...         t = [g[:k], g[k:]]
    ...         x_bar = t[0]
    ...         y_bar = t[1]
    ...         return x_bar, y_bar
    ... ''')).body[0]
    >>> print(ast.unparse(gast.gast_to_ast(displays(tree, Facts(frozenset("t"))))))
    def f(g, k):
        x_bar = g[:k]
        y_bar = g[k:]
        return (x_bar, y_bar)
    """
    found = indexed_only(tree, facts.temporaries)
    if not found:
        return tree

    def block(old: Block) -> Block:
        new: Block = []
        position = 0
        while position < len(old):
            node = old[position]
            taken = _taken(old, position, found)
            if taken is None:
                new.append(map_blocks(block, node))
                position += 1
            else:
                new.extend(taken)
                position += 1 + len(taken)
        return old if unchanged(new, old) else new

    body = block(tree.body)
    result: gast.FunctionDef = tree if body is tree.body else changed(tree, body=body)
    return result


def indexed_only(
    tree: gast.FunctionDef, names: frozenset[str], looks: Callable[[gast.Call], bool] | None = None
) -> dict[str, int]:
    """The names, of those given, of lists and tuples that are written out and only read item by
    item, by constant index; and how often each is read.

    They may also be arguments of calls that `looks` says only look at them.
    """
    every = statements(tree.body)
    assigned = [s for s in every if s.__class__ is gast.Assign and s.value.__class__ in _DISPLAYS]
    shown = {target: len(value.elts) for target, value in map(_display, assigned) if target}
    if shown.keys().isdisjoint(names):
        return {}
    mentions = Counter(node.id for node in of_class(tree, gast.Name))
    items: Counter[str] = Counter()
    for node in of_class(tree, gast.Subscript):
        if isinstance(node.value, gast.Name) and isinstance(node.ctx, gast.Load):
            key = item(node)
            if key is not None and key < shown.get(node.value.id, 0):
                items[node.value.id] += 1
    whole: Counter[str] = Counter()
    if looks is not None and any(mentions[own] > 1 + items[own] for own in shown):
        for call in of_class(tree, gast.Call):
            given = [a.id for a in call.args if isinstance(a, gast.Name) and a.id in shown]
            if given and looks(call):
                whole.update(given)
    fixed = outer_names(tree)
    return {
        own: items[own]
        for own in shown
        if own in names and own not in fixed and mentions[own] == 1 + items[own] + whole[own]
    }


def item(node: gast.Subscript) -> int | None:
    """The constant index by which an item is read."""
    key = node.slice.value if isinstance(node.slice, gast.Constant) else None
    return key if type(key) is int and key >= 0 else None


_EMPTY = gast.List(elts=[], ctx=gast.Load())


def _display(node: gast.stmt) -> tuple[str, gast.List]:
    """The name and the display of `t = [a, b]`; an empty name for anything else."""
    value = getattr(node, "value", None)
    if isinstance(node, gast.Assign) and isinstance(value, _DISPLAYS):
        target = node.targets[0]
        if isinstance(target, gast.Name) and len(node.targets) == 1:
            if not any(isinstance(part, gast.Starred) for part in value.elts):
                return target.id, value
    return "", _EMPTY


def _taken(block: Block, position: int, found: dict[str, int]) -> Block | None:
    """The statements behind a display, each with the item that it takes: then nobody else does."""
    target, display = _display(block[position])
    count = found.get(target, 0)
    if not count:
        return None
    takers: dict[int, gast.Assign] = {}
    for node in block[position + 1 : position + 1 + count]:
        if not isinstance(node, gast.Assign) or not isinstance(node.value, gast.Subscript):
            return None
        key, own = item(node.value), node.targets[0]
        if key is None or key in takers or not isinstance(own, gast.Name):
            return None
        if not isinstance(node.value.value, gast.Name) or node.value.value.id != target:
            return None
        takers[key] = node
    variables = {node.targets[0].id for node in takers.values()}
    if len(takers) != count or len(variables) != count or variables & reads(display):
        return None
    if any(k not in takers and not isinstance(e, _SIMPLE) for k, e in enumerate(display.elts)):
        return None
    return [changed(takers[key], value=display.elts[key]) for key in sorted(takers)]
