"""Lists that are written out only to become one array."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import gast
import numpy as np

from autodiff import runtime
from autodiff.kinds.kind import Array, Kind, Record, Scalar
from autodiff.native.bindings import Helpers
from autodiff.native.values import NativeKinds
from autodiff.rules.home import hashable
from autodiff.syntax.change import changed, map_blocks, map_parts
from autodiff.syntax.names import parameters, writes
from autodiff.syntax.origin import origin_of, with_origin
from autodiff.syntax.pushes import is_pop, is_push
from autodiff.syntax.quote import quote, quote_statements
from autodiff.syntax.walk import statements, walk

_WRITTEN = (gast.List, gast.Tuple)
_BLOCKS = (gast.If, gast.While, gast.For)
_JOINING = (np.concatenate, np.stack, np.vstack, np.hstack, np.column_stack)


def listed(tree: gast.FunctionDef, known: NativeKinds, helpers: Helpers) -> gast.FunctionDef:
    """Such a list of numbers is the array from the beginning; one of arrays is a tuple.

        items = [a * b, c]                     items = np.empty(2)
        y = np.array(items)                    items[0] = a * b
        items_bar = unbroadcast(               items[1] = c
            y_bar, like=items)                 y = items.copy()
                                               items_bar = y_bar

    Nothing else may read the name; the tape may keep it. The kinds that come back are those that
    hold then.
    """
    found = {item.name: item for item in _displays(tree, known) if item.is_one(tree, known)}

    def visit(node: gast.AST) -> gast.AST:
        """`np.array(items)`, which Numba lacks for arrays; `unbroadcast` to the size that is."""
        if isinstance(node, list):
            return node
        new = map_parts(visit, node) if not isinstance(node, _BLOCKS) else node
        if isinstance(new, gast.Call):
            called, read = known.called(new), _read_by(new, known, True)
            item = found.get(read[0]) if read else None
            if item is not None and isinstance(item.kind, Array):
                if called is runtime.unbroadcast:
                    g = known.of(new.args[0])
                    return new.args[0] if getattr(g, "shape", ()) == item.kind.shape else new
                return new if called is len else quote("x.copy()", x=item.name)
        return new

    def block(body: list[gast.stmt]) -> list[gast.stmt]:
        result: list[gast.stmt] = []
        for node in body:
            item = found.get(_name(node))
            if item is None or is_pop(node):
                result.append(map_blocks(block, visit(node)) if found else node)
            else:
                result.extend(with_origin(item.code(helpers), origin_of(node)))
        return result

    result: gast.FunctionDef = changed(tree, body=block(tree.body)) if found else tree
    for item in found.values():
        known.tell(item.name, item.kind)
    return result


@dataclass(frozen=True, slots=True)
class _Display:
    """A name and the list that it is assigned; `kind` is that of the array or tuple."""

    name: str
    value: gast.List | gast.Tuple
    kind: Kind

    def is_one(self, tree: gast.FunctionDef, known: NativeKinds) -> bool:
        """Whether all that reads the list would as soon have the array, or tuple."""
        allowed: Counter[str] = Counter()
        for node in walk(tree.body):
            if isinstance(node, gast.Call):
                allowed.update(_read_by(node, known, isinstance(self.kind, Array)))
            if is_push(node) or is_pop(node):
                kept = node.value.args if is_push(node) else node.targets
                allowed.update(n.id for n in walk(kept) if isinstance(n, gast.Name))
            elif isinstance(node, gast.Subscript) and isinstance(node.slice, gast.Constant):
                if isinstance(self.kind, Record) and isinstance(node.value, gast.Name):
                    allowed[node.value.id] += isinstance(node.ctx, gast.Load)
        every = [n for n in walk(tree.body) if isinstance(n, gast.Name) and n.id == self.name]
        return len(every) == allowed[self.name] + 1

    def code(self, helpers: Helpers) -> list[gast.stmt]:
        if isinstance(self.kind, Record):
            items = gast.Tuple(elts=self.value.elts, ctx=gast.Load())
            return quote_statements("t = items", t=self.name, items=items)
        assert isinstance(self.kind, Array)
        dtype = "" if self.kind.dtype == "float64" else ", np.int64"
        shape = ", ".join(map(str, self.kind.shape))
        shape = shape if len(self.kind.shape) == 1 else f"({shape})"
        code = quote_statements(
            f"t = np.empty({shape}{dtype})", t=self.name, np=helpers.use("np", np)
        )
        for k, item in enumerate(self.value.elts):
            for m, part in enumerate(item.elts if isinstance(item, _WRITTEN) else [item]):
                at = f"{k}, {m}" if isinstance(item, _WRITTEN) else f"{k}"
                code += quote_statements(f"t[{at}] = e", t=self.name, e=part)
        return code


def _displays(tree: gast.FunctionDef, known: NativeKinds) -> list[_Display]:
    """The lists of numbers, of lists of numbers, or of arrays; each the only value of a name."""
    bound: Counter[str] = Counter(parameters(tree.args))
    for node in statements(tree):
        if isinstance(node, (gast.Assign, gast.AugAssign, gast.For)) and not is_pop(node):
            targets = node.targets if isinstance(node, gast.Assign) else [node.target]
            bound.update(name for target in targets for name in writes(target))
    found = []
    for node in statements(tree):
        name = _name(node)
        if bound[name] == 1 and isinstance(node.value, _WRITTEN):
            kind = _kind(node.value, known)
            if kind is not None:
                found.append(_Display(name, node.value, kind))
    return found


def _kind(value: gast.List | gast.Tuple, known: NativeKinds) -> Kind | None:
    rows = [item.elts if isinstance(item, _WRITTEN) else None for item in value.elts]
    items: list[gast.expr] = []
    for row, item in zip(rows, value.elts):
        items.extend([item] if row is None else row)
    lengths = {None if row is None else len(row) for row in rows}
    kinds = [known.of(item) for item in items]
    if len(lengths) != 1 or not items:
        return None
    [length] = lengths
    if length is None and all(isinstance(k, Array) for k in kinds):
        if isinstance(value, gast.Tuple):
            return None
        return Record(tuple, tuple(range(len(kinds))), tuple(k for k in kinds if k is not None))
    types = {k.type if isinstance(k, Scalar) else None for k in kinds}
    if not types <= {"float", "int"}:
        return None
    shape = (len(rows),) if length is None else (len(rows), length)
    return Array("float64" if "float" in types else "int64", shape)


def _read_by(call: gast.Call, known: NativeKinds, numbers: bool) -> list[str]:
    """The names that a call reads as it would read an array, or a tuple."""
    called = known.called(call)
    if not hashable(called):
        return []
    given: list[gast.expr] = []
    if numbers and called in (np.array, np.asarray) and not call.keywords:
        given = call.args[:1]
    elif numbers and called is runtime.unbroadcast:
        given = [*call.args[1:], *(k.value for k in call.keywords if k.arg == "like")]
    elif called is len or not numbers and called in _JOINING:
        given = call.args[:1]
    return [node.id for node in given if isinstance(node, gast.Name)]


def _name(node: gast.stmt) -> str:
    """The name that a statement assigns, "" if that is not all it does."""
    if not isinstance(node, gast.Assign) or hasattr(node, "site"):
        return ""
    [target] = node.targets
    return target.id if isinstance(target, gast.Name) else ""
