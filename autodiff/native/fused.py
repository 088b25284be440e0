"""Neighbouring loops over the elements of one shape, as one loop."""

from __future__ import annotations

from collections import Counter

import gast

from autodiff.kinds.kind import Array, Scalar
from autodiff.kinds.size import Dim, Size
from autodiff.native.native_kinds import NativeKinds, literal
from autodiff.native.slices import same_size
from autodiff.syntax.change import changed, map_blocks, map_parts
from autodiff.syntax.comment import is_comment
from autodiff.syntax.names import name, reads, store, writes
from autodiff.syntax.sections import FORWARD, reverse_sweep
from autodiff.syntax.walk import clone, same, statements, walk

_Nest = tuple[list[str], list[gast.expr], list[gast.stmt]]
"""The counters of a nest of loops, how often each runs, and the body of the innermost."""


def fused(tree: gast.FunctionDef, made: list[gast.stmt], known: NativeKinds) -> gast.FunctionDef:
    """A loop that reads what the one before stored at the same places becomes part of it.

        u = np.empty(len(x))                   v = np.empty(len(x))
        for i in range(len(x)):                for i in range(len(x)):
            u[i] = np.sin(x[i])        ->          u_i = np.sin(x[i])
        v = np.empty(len(u))                       v[i] = x[i] * u_i
        for i in range(len(u)):
            v[i] = x[i] * u[i]

    `made` are the loops that stand for statements on arrays. The sizes are known to be equal, and
    memory that one stores to is read or stored to by the other at the same place only. An array
    that is read nowhere else is a number.
    """
    fusing = _Fusing({id(loop) for loop in made}, known)
    result: gast.FunctionDef = changed(tree, body=fusing.block(tree.body))
    if not fusing.loops:
        return tree
    result = _numbers(result, fusing.loops, known)
    return changed(result, body=_titled(result.body))  # type: ignore[no-any-return]


def _titled(body: list[gast.stmt]) -> list[gast.stmt]:
    """The body without the title of a forward sweep that has become part of the reverse one."""
    start = reverse_sweep(body)
    for place in range(start - 1, -1, -1):
        if not is_comment(body[place]):
            break
        if body[place].value.value == FORWARD:
            return [*body[:place], *body[start:]]
    return body


class _Fusing:
    def __init__(self, made: set[int], known: NativeKinds) -> None:
        self.made = made
        self.known = known
        self.loops: list[gast.stmt] = []
        """Those that several became, and those of them that became part of others later."""

    def block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        result: list[gast.stmt] = []
        last: gast.stmt | None = None
        for node in body:
            if id(node) in self.made:
                joined = None if last is None else self.joined(last, node)
                if joined is not None:
                    result = [other for other in result if other is not last]
                    self.loops.append(joined)
                last = node if joined is None else joined
                result.append(last)
                continue
            if last is not None and not self.may_pass(last, node):
                last = None
            result.append(map_blocks(self.block, node))
        return result

    def may_pass(self, loop: gast.stmt, node: gast.stmt) -> bool:
        """Whether a statement may as well run before the loop: it makes an array, or a number."""
        if is_comment(node):
            return True
        if not isinstance(node, gast.Assign) or hasattr(node, "site"):
            return False
        [target] = node.targets
        mentioned = {n.id for n in walk(loop) if isinstance(n, gast.Name)}
        if not isinstance(target, gast.Name) or target.id in mentioned:
            return False
        value = node.value
        if _makes(node, target.id):
            value = value.args[0]
        return self.is_size(value)

    def is_size(self, node: gast.AST) -> bool:
        """Whether an expression is made of numbers and of lengths, which no loop here changes."""
        if isinstance(node, gast.Call):
            named = isinstance(node.func, gast.Name)
            return named and node.func.id in ("len", "max") and all(map(self.is_size, node.args))
        if isinstance(node, gast.Subscript):
            return isinstance(node.value, gast.Attribute) and node.value.attr == "shape"
        if isinstance(node, gast.Tuple):
            return all(map(self.is_size, node.elts))
        if isinstance(node, gast.BinOp):
            return self.is_size(node.left) and self.is_size(node.right)
        if isinstance(node, gast.UnaryOp):
            return self.is_size(node.operand)
        return isinstance(node, (gast.Name, gast.Constant))

    def joined(self, one: gast.stmt, other: gast.stmt) -> gast.stmt | None:
        """Both loops as one, where the second reads what the first one stores."""
        first, second = _nest(one), _nest(other)
        if first is None or second is None or first[0] != second[0]:
            return None
        if not all(map(self.is_as_long, first[1], second[1])):
            return None
        stored, read = _stored(first[2]), _read(second[2])
        if not any(same(a.value, b.value) and same(a.slice, b.slice) for a in stored for b in read):
            return None
        earlier, later = [*stored, *_read(first[2])], [*_stored(second[2]), *read]
        for a in earlier:
            for b in later:
                kept = isinstance(a.ctx, gast.Load) and isinstance(b.ctx, gast.Load)
                if not kept and self.may_clash(a, b, first[0]):
                    return None
        return _filled(one, [*first[2], *second[2]])

    def is_as_long(self, one: gast.expr, other: gast.expr) -> bool:
        return same(one, other) or same_size(self.size(one), self.size(other))

    def size(self, node: gast.expr) -> Size:
        """The size that a count of iterations is, as the kinds name it."""
        if isinstance(node, gast.BinOp) and isinstance(node.op, gast.Sub):
            less, size = literal(node.right, ...), self.size(node.left)
            return size.minus(less) if isinstance(size, Dim) and type(less) is int else None
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Name):
            base, place = node.args[0], 0
        elif isinstance(node, gast.Subscript) and isinstance(node.value, gast.Attribute):
            base, place = node.value.value, literal(node.slice, ...)
        else:
            return None
        kind = self.known.of(base) if isinstance(base, gast.Name) else None
        return kind.shape[place] if isinstance(kind, Array) else None

    def may_clash(self, one: gast.Subscript, other: gast.Subscript, counters: list[str]) -> bool:
        """Whether different iterations may reach one element."""
        if not self.known.memory.share(one.value.id, other.value.id):
            return False
        return not (same(one.value, other.value) and _is_own(one, other, counters))


def _is_own(one: gast.Subscript, other: gast.Subscript, counters: list[str]) -> bool:
    """Whether both are the element that belongs to an iteration alone."""
    index = one.slice.elts if isinstance(one.slice, gast.Tuple) else [one.slice]
    plain = [part.id for part in index if isinstance(part, gast.Name)]
    return same(one.slice, other.slice) and all(plain.count(c) == 1 for c in counters)


def _nest(loop: gast.stmt) -> _Nest | None:
    counters: list[str] = []
    counts: list[gast.expr] = []
    while isinstance(loop, gast.For):
        if not isinstance(loop.iter.func, gast.Name) or loop.iter.func.id != "range":
            return None
        counters.append(loop.target.id)
        counts.append(loop.iter.args[0])
        body = loop.body
        if len(body) != 1 or not isinstance(body[0], gast.For):
            plain = all(isinstance(n, gast.Assign) and _is_element(n.targets[0]) for n in body)
            return (counters, counts, body) if plain else None
        loop = body[0]
    return None


def _is_element(node: gast.expr) -> bool:
    return isinstance(node, gast.Subscript) and isinstance(node.value, gast.Name)


def _stored(body: list[gast.stmt]) -> list[gast.Subscript]:
    """The elements that a body stores to, as they are read."""
    return [node.targets[0] for node in body if isinstance(node, gast.Assign)]


def _read(body: list[gast.stmt]) -> list[gast.Subscript]:
    values = [node.value for node in body if isinstance(node, gast.Assign)]
    return [n for n in walk(values) if _is_element(n) and isinstance(n, gast.Subscript)]


def _filled(loop: gast.stmt, body: list[gast.stmt]) -> gast.stmt:
    """The nest with another body inside."""
    [first, *_] = loop.body
    inner = [_filled(first, body)] if isinstance(first, gast.For) else body
    return changed(loop, body=inner)  # type: ignore[no-any-return]


def _numbers(
    tree: gast.FunctionDef, loops: list[gast.stmt], known: NativeKinds
) -> gast.FunctionDef:
    """Arrays that one loop fills and reads, and nothing else, as numbers in it."""
    wanted = {id(loop) for loop in loops}
    every = Counter(n.id for n in walk(tree.body) if isinstance(n, gast.Name))
    lengths = Counter(n for part in walk(tree.body) if (n := _measured(part)) is not None)
    bound = Counter(n for node in statements(tree.body) for n in writes([node]))
    gone: dict[str, list[gast.expr]] = {}

    def block(body: list[gast.stmt]) -> list[gast.stmt]:
        new = list(body)
        for place, loop in enumerate(body):
            nest = _nest(loop) if id(loop) in wanted else None
            if nest is None:
                new[place] = map_blocks(block, loop)
                continue
            inner = nest[2]
            for own in dict.fromkeys(element.value.id for element in _stored(nest[2])):
                made = [k for k in range(place) if _makes(body[k], own)]
                size = body[made[0]].value.args[0] if len(made) == 1 else None
                if size is None or bound[own] != 1 or any(bound[n] > 1 for n in reads(size)):
                    continue
                parts = [*_stored(nest[2]), *_read(nest[2])]
                inside = [e for e in parts if e.value.id == own and _is_own(e, parts[0], nest[0])]
                if every[own] != 1 + lengths[own] + len(inside):
                    continue
                gone[own] = size.elts if isinstance(size, gast.Tuple) else [size]
                new[made[0]] = gast.Pass()
                number = known.fresh("_".join([own, *nest[0]]), Scalar("float"))
                inner = [_with(node, own, number) for node in inner]
            new[place] = _filled(loop, inner)
        return [node for node in new if not isinstance(node, gast.Pass)]

    body = block(tree.body)
    for own, sizes in reversed(gone.items()):
        body = [_measuring(node, own, sizes) for node in body]  # type: ignore[misc]
        for other, parts in gone.items():
            gone[other] = [_measuring(part, own, sizes) for part in parts]  # type: ignore[misc]
    result: gast.FunctionDef = changed(tree, body=body)
    return result


def _makes(node: gast.stmt, own: str) -> bool:
    """Whether a statement is `own = np.empty(sizes)`."""
    if not isinstance(node, gast.Assign) or not isinstance(node.value, gast.Call):
        return False
    [target], call = node.targets, node.value
    if not isinstance(target, gast.Name) or target.id != own or len(call.args) != 1:
        return False
    return isinstance(call.func, gast.Attribute) and call.func.attr == "empty"


def _measured(node: gast.AST) -> str | None:
    """The array of which an expression is a length."""
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and node.func.id == "len":
        return node.args[0].id if isinstance(node.args[0], gast.Name) else None
    if isinstance(node, gast.Subscript) and isinstance(node.value, gast.Attribute):
        base = node.value.value
        literal_place = type(literal(node.slice, ...)) is int
        if node.value.attr == "shape" and isinstance(base, gast.Name) and literal_place:
            return str(base.id)
    return None


def _measuring(node: gast.AST, own: str, sizes: list[gast.expr]) -> gast.AST:
    """The node with the sizes of an array in place of questions for them."""

    def visit(part: gast.AST) -> gast.AST:
        if _measured(part) != own:
            return map_parts(visit, part)  # type: ignore[no-any-return]
        place = literal(part.slice, ...) if isinstance(part, gast.Subscript) else 0
        return clone(sizes[place])

    return visit(node)


def _with(node: gast.stmt, own: str, number: str) -> gast.stmt:
    """The statement with a number for each element of an array."""

    def visit(part: gast.AST) -> gast.AST:
        if _is_element(part) and part.value.id == own:  # type: ignore[arg-type, attr-defined]
            return store(number) if isinstance(part.ctx, gast.Store) else name(number)  # type: ignore[attr-defined]
        return map_parts(visit, part)  # type: ignore[no-any-return]

    return visit(node)  # type: ignore[return-value]
