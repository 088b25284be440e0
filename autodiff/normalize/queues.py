"""A `collections.deque` that stays in the function is a list.

    q = deque([x])                 q = list([x])
    first = q.popleft()            first = q.pop(0)
    q.appendleft(first)            q.insert(0, first)

With a constant `maxlen`, what falls out at the other end is taken out there. A deque that goes
elsewhere (into another function, an object, a nested function) is left as it is.
"""

from __future__ import annotations

import builtins
import collections
import types
from collections.abc import Callable
from typing import Any

import gast

from autodiff.syntax.names import name, parameters, scope_names
from autodiff.syntax.origin import origin_of
from autodiff.syntax.quote import quote, quote_statements
from autodiff.syntax.walk import children, map_children, of_class, statements, walk

Lookup = Callable[[str], Any]

_SAME = frozenset("append pop clear count index remove reverse extend copy".split())
_LEFT = frozenset("popleft appendleft".split())
_GROWING = frozenset("extend insert".split())
_SCOPES = (gast.FunctionDef, gast.Lambda, gast.ClassDef)


def queues(tree: gast.FunctionDef, lookup: Lookup | None) -> gast.FunctionDef:
    """The tree with lists for the deques of which it is seen whatever happens to them."""
    if lookup is None:
        return tree
    local = set(parameters(tree.args)) | {
        n.id for n in of_class(tree.body, gast.Name) if isinstance(n.ctx, gast.Store)
    }

    def meant(node: gast.expr) -> Any:
        """What an expression made of a name from outside and attributes refers to."""
        if isinstance(node, gast.Attribute):
            base = meant(node.value)
            return getattr(base, node.attr, None) if isinstance(base, types.ModuleType) else None
        if not isinstance(node, gast.Name) or node.id in local:
            return None
        try:
            return lookup(node.id)
        except (KeyError, ValueError):
            return None

    def is_deque(node: gast.AST | None) -> bool:
        return isinstance(node, gast.Call) and meant(node.func) is collections.deque

    if not any(map(is_deque, of_class(tree.body, gast.Call))):
        return tree
    made: dict[str, list[gast.Call]] = {}
    for statement in statements(tree.body):
        for own, value in _bindings(statement):
            if is_deque(value):
                made.setdefault(own, []).append(value)
    lengths = {own: _length(calls) for own, calls in made.items()}
    plain = {own for own, calls in made.items() if lengths[own] is not False}
    plain -= set(parameters(tree.args)) | _leaving(tree, plain, lengths, is_deque, meant)
    if not plain:
        return tree
    owners = {id(call): own for own in plain for call in made[own]}

    def visit(node: gast.AST) -> Any:
        if isinstance(node, _SCOPES):
            return node
        new = map_children(visit, node)
        if isinstance(node, gast.stmt):
            new.origin = origin_of(node)
            turned = _turned(node, plain)
            if turned:
                return turned
            return [new, *_shortened(node, plain, lengths)]
        if id(node) in owners:
            return gast.copy_location(_list(new, lengths[owners[id(node)]]), node)
        method = _method(new)
        if method is not None and method[0] in plain and method[1] in _LEFT:
            attr = "pop" if method[1] == "popleft" else "insert"
            func = gast.Attribute(value=new.func.value, attr=attr, ctx=gast.Load())
            zero = gast.Constant(value=0, kind=None)
            func = gast.copy_location(func, new.func)
            call = gast.Call(func=func, args=[zero, *new.args], keywords=[])
            return gast.copy_location(call, new)
        return new

    found: gast.FunctionDef = map_children(visit, tree)
    return found


def _bindings(statement: gast.stmt) -> list[tuple[str, gast.expr]]:
    """The names that an assignment binds, each with its value."""
    if isinstance(statement, gast.Assign) and len(statement.targets) == 1:
        target, value = statement.targets[0], statement.value
    elif isinstance(statement, gast.AnnAssign) and statement.value is not None:
        target, value = statement.target, statement.value
    else:
        return []
    pairs = [(target, value)]
    if isinstance(target, gast.Tuple) and isinstance(value, gast.Tuple):
        same = len(target.elts) == len(value.elts)
        starred = any(isinstance(e, gast.Starred) for e in (*target.elts, *value.elts))
        pairs = list(zip(target.elts, value.elts)) if same and not starred else []
    return [(t.id, v) for t, v in pairs if isinstance(t, gast.Name)]


def _length(calls: list[gast.Call]) -> int | bool | None:
    """The `maxlen` that all these calls agree on; False where they do not, or it is computed."""
    found: set[int | None] = set()
    for call in calls:
        given = [*call.args[1:2], *(k.value for k in call.keywords if k.arg == "maxlen")]
        if len(call.args) > 2 or any(k.arg not in ("iterable", "maxlen") for k in call.keywords):
            return False
        if not given:
            found.add(None)
            continue
        value = getattr(given[0], "value", 0) if isinstance(given[0], gast.Constant) else 0
        if value is not None and (not isinstance(value, int) or value < 1):
            return False
        found.add(value)
    return found.pop() if len(found) == 1 else False


def _list(call: gast.Call, length: int | bool | None) -> gast.expr:
    given = [*call.args[:1], *(k.value for k in call.keywords if k.arg == "iterable")]
    if not given:
        return gast.List(elts=[], ctx=gast.Load())
    if length is None and isinstance(given[0], (gast.List, gast.Tuple)):
        return gast.List(elts=given[0].elts, ctx=gast.Load())
    text = "list(xs)" if length is None else "list(xs)[-n:]"
    return quote(text, xs=given[0], n=gast.Constant(value=length, kind=None))


def _method(node: gast.AST) -> tuple[str, str] | None:
    """The name and the method of a call `q.append(x)`."""
    func = node.func if isinstance(node, gast.Call) else None
    if isinstance(func, gast.Attribute) and isinstance(func.value, gast.Name):
        return func.value.id, func.attr
    return None


def _turns(call: Any) -> int:
    """1 or -1, as `q.rotate()` and `q.rotate(-1)` turn a deque; 0 where that is another number."""
    given = call.args[0] if len(call.args) == 1 else None
    sign = 1
    if isinstance(given, gast.UnaryOp) and isinstance(given.op, gast.USub):
        given, sign = given.operand, -1
    one = not call.args or isinstance(given, gast.Constant) and given.value == 1
    return sign if one and not call.keywords else 0


def _turned(statement: gast.stmt, plain: set[str]) -> list[gast.stmt]:
    """`q.rotate(1)`: the last item becomes the first."""
    method = _method(statement.value) if isinstance(statement, gast.Expr) else None
    if method is None or method[0] not in plain or method[1] != "rotate":
        return []
    forward = _turns(statement.value) == 1
    text = "q.insert(0, q.pop())" if forward else "q.append(q.pop(0))"
    return _placed(quote_statements(f"if q:\n    {text}", q=name(method[0])), statement)


def _placed(new: list[gast.stmt], old: gast.stmt) -> list[gast.stmt]:
    for part in statements(new):
        part.origin = origin_of(old)
        gast.copy_location(part, old)
    return new


def _shortened(
    statement: gast.stmt, plain: set[str], lengths: dict[str, int | bool | None]
) -> list[gast.stmt]:
    """What falls out of a deque of limited length after a statement."""
    method = _method(statement.value) if isinstance(statement, gast.Expr) else None
    if method is None or method[0] not in plain or lengths[method[0]] is None:
        return []
    if method[1] not in ("append", "appendleft"):
        return []
    end = "0" if method[1] == "append" else ""
    text = f"if len(q) > n:\n    q.pop({end})"
    length = gast.Constant(value=lengths[method[0]], kind=None)
    return _placed(quote_statements(text, q=name(method[0]), n=length), statement)


def _leaving(
    tree: gast.FunctionDef,
    names: set[str],
    lengths: dict[str, int | bool | None],
    is_deque: Callable[[gast.AST | None], bool],
    meant: Callable[[gast.expr], Any],
) -> set[str]:
    """The names that are bound otherwise, or are used where nobody sees what becomes of them."""
    left: set[str] = set()
    right: set[int] = set()
    """The targets, by `id`, that a deque is assigned to."""
    for statement in statements(tree.body):
        for own, value in _bindings(statement):
            if own in names and is_deque(value):
                right.update(id(t) for t in walk(statement) if getattr(t, "id", None) == own)

    def harmless(node: gast.AST, parent: gast.AST) -> bool:
        if isinstance(parent, gast.Subscript):
            return parent.value is node
        if isinstance(parent, (gast.If, gast.While, gast.IfExp)):
            return parent.test is node
        if isinstance(parent, (gast.For, gast.comprehension)):
            return parent.iter is node
        if isinstance(parent, gast.Compare):
            return node is not parent.left and all(
                isinstance(op, (gast.In, gast.NotIn)) for op in parent.ops
            )
        if isinstance(parent, gast.Call):
            value = meant(parent.func)
            library = isinstance(parent.func, gast.Attribute) or (
                isinstance(parent.func, gast.Name) and getattr(builtins, parent.func.id, 0) is value
            )
            return value is not None and library and node in parent.args
        return isinstance(parent, (gast.UnaryOp, gast.BoolOp, gast.Starred))

    def look(node: gast.AST, parent: gast.AST | None, grandparent: gast.AST | None) -> None:
        if isinstance(node, _SCOPES) and parent is not None:
            left.update(n.id for n in walk(node) if isinstance(n, gast.Name))
            return
        if isinstance(node, gast.Name) and node.id in names and parent is not None:
            if not isinstance(node.ctx, gast.Load):
                if id(node) not in right:
                    left.add(node.id)
            elif isinstance(parent, gast.Attribute):
                called = isinstance(grandparent, gast.Call) and grandparent.func is parent
                limited = lengths[node.id] is not None
                fits = parent.attr in _SAME | _LEFT and not (limited and parent.attr in _GROWING)
                fits = fits or called and parent.attr == "rotate" and _turns(grandparent) != 0
                if not called or not fits or grandparent.keywords:  # type: ignore[union-attr]
                    left.add(node.id)
            elif not harmless(node, parent):
                left.add(node.id)
        for child in children(node):
            look(child, node, parent)

    look(tree, None, None)
    for scope in walk(tree.body):
        left |= scope_names(scope)
    return left
