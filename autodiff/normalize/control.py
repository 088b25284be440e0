"""Structured control flow: one `return` at the end, and loops that stop at the end of their body.

    >>> import ast, gast
    >>> from autodiff.syntax.names import Names, all_names
    >>> tree = gast.parse('''
    ... def root(x, n):
    ...     if n == 0:
    ...         return x
    ...     for i in range(n):
    ...         step = f(x) / df(x)
    ...         if abs(step) < 1e-9:
    ...             break
    ...         x = x - step
    ...     return x + 0.5 * step
    ... ''').body[0]
    >>> tree = control(tree, Names(all_names(tree)))
    >>> print(ast.unparse(ast.fix_missing_locations(gast.gast_to_ast(tree))))
    def root(x, n):
        if n == 0:
            result = x
        else:
            for i in range(n):
                step = f(x) / df(x)
                stop = abs(step) < 1e-09
                if not stop:
                    x = x - step
                if stop:
                    break
            result = x + 0.5 * step
        return result

What follows a branch that always jumps moves into the other branch, so most functions need no flag.
Where that is not possible a flag remembers the jump (`stop`, `skip`, `returned`), and what the jump
would have skipped asks it.
"""

from __future__ import annotations

import gast

from autodiff.normalize.build import assign, at, shallow
from autodiff.normalize.structure.blocks import Structure
from autodiff.normalize.structure.jumps import Jumps, returns
from autodiff.syntax.names import Names, name, parameters
from autodiff.syntax.origin import Origin, origin_of
from autodiff.syntax.walk import same

_ATOMS = (gast.Name, gast.Constant)


def control(tree: gast.FunctionDef, names: Names) -> gast.FunctionDef:
    """The same function without early jumps.

    Raises `UnsupportedSyntaxError` for a jump out of a `finally` block.
    """
    jumps = Jumps()
    found = list(returns(tree.body))
    last = tree.body[-1]
    origin = origin_of(found[-1]) if found else origin_of(last)
    new = shallow(tree)
    if not any(item.value is not None and not _is_none(item.value) for item in found):
        body = Structure(names, jumps, None).block(tree.body)
        new.body = [*body, _returned(None, origin)]
    elif len(found) == 1 and found[0] is last:
        body = Structure(names, jumps, None).block(tree.body[:-1])
        new.body = [*body, *_returned_value(last.value, names, origin)]
    else:
        new.body = _joined(tree, found, names, jumps, origin)
    return new


def _joined(
    tree: gast.FunctionDef,
    found: list[gast.Return],
    names: Names,
    jumps: Jumps,
    origin: Origin | None,
) -> list[gast.stmt]:
    """The body of a function that returns from several places, or not from every path."""
    falls = jumps.exits(tree.body) > 0
    shared = None if falls or jumps.finally_returns(tree.body) else _one_value(found)
    if shared is not None:
        body = Structure(names, jumps, None).block(tree.body)
        return [*body, _returned(shared, origin)]
    own = _own_result(tree, found)
    result = own or names.fresh("result")
    body = Structure(names, jumps, result, is_fresh=own is None).block(tree.body)
    return [*body, _returned(name(result), origin)]


def _returned(value: gast.expr | None, origin: Origin | None) -> gast.stmt:
    return at(gast.Return(value=value), origin)


def _returned_value(value: gast.expr, names: Names, origin: Origin | None) -> list[gast.stmt]:
    """`return value`, where the value is an atom."""
    if isinstance(value, _ATOMS):
        return [_returned(value, origin)]
    result = names.fresh("result")
    return [assign(result, value, origin), _returned(name(result), origin)]


def _is_none(value: gast.expr) -> bool:
    return isinstance(value, gast.Constant) and value.value is None


def _one_value(found: list[gast.Return]) -> gast.expr | None:
    """The name that every `return` returns."""
    first = found[0].value
    if isinstance(first, gast.Name) and all(same(first, item.value) for item in found):
        return name(first.id)
    return None


def _own_result(tree: gast.FunctionDef, found: list[gast.Return]) -> str | None:
    """The user's own variable `result`, if that is what some path returns."""
    if "result" in parameters(tree.args):
        return None
    for item in found:
        if isinstance(item.value, gast.Name) and item.value.id == "result":
            return "result"
    return None
