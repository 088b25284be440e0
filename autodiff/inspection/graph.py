"""The data flow of a generated derivative: primal, adjoint, and what joins them."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import Any

import gast

from autodiff.errors import AutodiffError
from autodiff.syntax.comment import is_comment
from autodiff.syntax.emit import emit
from autodiff.syntax.names import parameters, reads, writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.pushes import is_pop, is_push
from autodiff.syntax.sections import REVERSE

Definitions = dict[str, frozenset[int]]
"""The nodes that a name may have got its value, or its content, from."""


def drawn(tree: gast.FunctionDef, svg: str | PathLike[str] | None) -> Any:
    """The graph of a generated function, a `networkx.DiGraph`; drawn in a file if one is named.

    Nodes are numbered in the order of the text. They have the attributes `operation` (`np.sin`,
    `*`, `argument`, `return` ...), `names` (what the statement defines), `code` (its text), `sweep`
    ("forward" or "reverse") and, where it comes from a statement of the user's, `line`, `file` and
    `source`. An edge goes from a statement to one that uses what it defines, through `name`; from a
    push on the tape to the pop of the same value. Names are followed, not memory: what is stored
    through a view is an edge of the view's name.

    Raises AutodiffError where networkx is not installed, or graphviz, to draw.
    """
    try:
        import networkx  # noqa: PLC0415 (an optional extra)
    except ImportError:
        raise _missing("the graph of a derivative", "networkx") from None
    found, made = flow(tree), networkx.DiGraph()
    made.add_nodes_from(enumerate(found.nodes))
    for (source, number), names in found.edges.items():
        made.add_edge(source, number, name=", ".join(sorted(names)))
    if svg is not None:
        _draw(found, svg)
    return made


def _draw(found: Flow, svg: str | PathLike[str]) -> None:
    """Writes a picture, whose format the name of the file says; the reverse sweep is orange."""
    try:
        import graphviz  # noqa: PLC0415 (an optional extra)
    except ImportError:
        raise _missing("a picture of the graph", "graphviz") from None
    picture = graphviz.Digraph(node_attr=_BOX)
    for number, own in enumerate(found.nodes):
        label = f"{own['line']}: {own['code']}" if "line" in own else own["code"]
        shown, tip = (graphviz.escape(_printable(x)) for x in (label, own.get("source", label)))
        picture.node(str(number), shown, tooltip=tip, fillcolor=_COLOURS[own["sweep"]])
    for (source, number), names in found.edges.items():
        picture.edge(str(source), str(number), tooltip=", ".join(sorted(names)))
    try:
        made = picture.pipe(format=Path(svg).suffix.removeprefix(".") or "svg")
    except graphviz.ExecutableNotFound:
        raise _missing("a picture of the graph", "graphviz") from None
    Path(svg).write_bytes(made)


def _printable(text: str) -> str:
    """A text without control characters, as Python may have, and half surrogates."""
    signs = (c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return "".join(signs)


_BOX = {"shape": "box", "style": "rounded,filled", "fontname": "monospace"}
_COLOURS = {"forward": "#dbe9f6", "reverse": "#fde3cf"}


def _missing(what: str, package: str) -> AutodiffError:
    more = " and Debian's graphviz" if package == "graphviz" else ""
    return AutodiffError(
        f"{what} needs {package}, which is not installed",
        cure=f"install it: pip install 'source-autodiff[graph]'{more}, or look at .view(path)",
    )


def flow(tree: gast.FunctionDef) -> Flow:
    """The statements of a generated function, and which of them use what others define."""
    found = Flow()
    found.block(tree.body, found.arguments(parameters(tree.args)))
    return found


class Flow:
    """Goes through the statements with the definitions that reach them.

    nodes: one for each statement. edges: from one to another, with the names by which that uses it.
    numbers: which node a statement is, by its `id`. pushes, pops: the nodes of each site, and the
    names that what comes back has there.
    """

    def __init__(self) -> None:
        self.nodes: list[dict[str, Any]] = []
        self.edges: dict[tuple[int, int], set[str]] = {}
        self.numbers: dict[int, int] = {}
        self.sweep = "forward"
        self.pushes: dict[str, frozenset[int]] = {}
        self.pops: dict[str, tuple[int, list[str]]] = {}

    def arguments(self, names: list[str]) -> Definitions:
        """A node for each parameter."""
        known: Definitions = {}
        for name in names:
            known[name] = frozenset({len(self.nodes)})
            self.nodes.append(
                {"operation": "argument", "names": (name,), "code": name, "sweep": "forward"}
            )
        return known

    def block(self, statements: list[gast.stmt], known: Definitions) -> Definitions:
        for statement in statements:
            known = self.statement(statement, known)
        return known

    def statement(self, statement: gast.stmt, known: Definitions) -> Definitions:
        if isinstance(statement, gast.Expr) and isinstance(statement.value, gast.Constant):
            if is_comment(statement) and statement.value.value == REVERSE:
                self.sweep = "reverse"
            return known
        if isinstance(statement, gast.FunctionDef):  # the pullback
            inside = self.arguments(parameters(statement.args))
            self.sweep = "reverse"
            return self.block(statement.body, {**known, **inside})
        if isinstance(statement, gast.If):
            self.node(statement, reads(statement.test), (), known, "if", statement.test)
            ways = [self.block(part, known) for part in (statement.body, statement.orelse)]
            return _joined(ways)
        if isinstance(statement, (gast.For, gast.While)):
            return self.loop(statement, known)
        if isinstance(statement, (gast.With, gast.Try)):
            ways = [known, self.block(statement.body, known)]
            for part in (*getattr(statement, "handlers", ()), statement):
                for field in ("body", "orelse", "finalbody"):
                    if part is not statement or field != "body":
                        ways.append(self.block(getattr(part, field, []), _joined(ways)))
            return _joined(ways)
        if isinstance(statement, (gast.Pass, gast.Break, gast.Continue)):
            return known
        return self.simple(statement, known)

    def loop(self, statement: gast.For | gast.While, known: Definitions) -> Definitions:
        """The body, until no definition of one iteration is new to the next."""
        header = statement.iter if isinstance(statement, gast.For) else statement.test
        own = sorted(writes(statement.target)) if isinstance(statement, gast.For) else ()
        label = f"for {', '.join(own)} in" if own else "while"
        while True:
            begun = self.node(statement, reads(header), own, known, label, header)
            if getattr(statement, "site", None) is not None:
                self.popped(statement, statement.target)
            after = _joined([known, self.block(statement.body, begun)])
            if after == known:
                return after
            known = after

    def simple(self, statement: gast.stmt, known: Definitions) -> Definitions:
        """An assignment, a call for its effect, or the return."""
        if isinstance(statement, gast.Return):
            used = reads(statement)
            return self.node(statement, used, (), known, "return", statement)
        if is_push(statement):
            known = self.node(statement, reads(statement), (), known, "push", statement)
            number = self.numbers[id(statement)]
            self.pushes[statement.site] = self.pushes.get(statement.site, frozenset()) | {number}
            return known
        if is_pop(statement):
            names = sorted(writes(statement))
            known = self.node(statement, reads(statement), names, known, "pop", statement)
            self.popped(statement, statement.targets[0])
            return known
        targets = getattr(statement, "targets", None) or [getattr(statement, "target", None)]
        names = sorted(writes(statement))
        used = set(reads(statement))
        for target in targets:
            if isinstance(target, (gast.Subscript, gast.Attribute)):
                names = [base for base in [root(target)] if base]
                used |= set(names)
            elif isinstance(statement, gast.AugAssign):
                used |= set(names)
        value = getattr(statement, "value", None)
        if isinstance(statement, gast.Expr) and isinstance(value, gast.Call):
            names = [name for name in _changed(value) if name in known]
        operation = _operation(statement)
        return self.node(statement, used, names, known, operation, statement)

    def popped(self, statement: Any, target: gast.expr) -> None:
        """Edges from the pushes of a site to what takes these values back."""
        number = self.numbers[id(statement)]
        self.pops[statement.site] = number, [own.id for own in getattr(target, "elts", [target])]
        for push in self.pushes.get(statement.site, ()):
            self.edge(push, number, "tape")

    def node(
        self,
        statement: gast.stmt,
        used: Iterable[str],
        names: Iterable[str],
        known: Definitions,
        operation: str,
        shown: gast.AST,
    ) -> Definitions:
        """The node of a statement, with edges from what it uses; what it defines is known then."""
        number = self.numbers.setdefault(id(statement), len(self.nodes))
        if number == len(self.nodes):
            origin = origin_of(statement)
            own = {} if origin is None else {
                "line": origin.line, "file": origin.file, "source": origin.text
            }  # fmt: skip
            prefix = "" if shown is statement else f"{operation} "
            code = prefix + _text(shown)
            kind = operation.split()[0]
            what = {"operation": kind, "names": tuple(names), "code": code, "sweep": self.sweep}
            self.nodes.append({**what, **own})
        for name in sorted(used):
            for source in sorted(known.get(name, ())):
                self.edge(source, number, name)
        return {**known, **{name: frozenset({number}) for name in names}}

    def edge(self, source: int, number: int, name: str) -> None:
        """An edge for a name."""
        self.edges.setdefault((source, number), set()).add(name)


def _changed(call: gast.Call) -> list[str]:
    """The names that a call may be made to change: its object, or its first argument."""
    bases = [root(call.func.value)] if isinstance(call.func, gast.Attribute) else []
    if call.args and not isinstance(call.args[0], gast.Constant):
        bases.append(root(call.args[0]))
    return sorted({base for base in bases if base is not None})


def _joined(ways: list[Definitions]) -> Definitions:
    """What is known where several ways meet."""
    return {
        name: frozenset().union(*(way.get(name, frozenset()) for way in ways))
        for way in ways
        for name in way
    }


def _operation(statement: gast.stmt) -> str:
    """What a statement does, in short."""
    value = getattr(statement, "value", None)
    if isinstance(statement, gast.AugAssign):
        return f"{_OPERATORS.get(type(statement.op), type(statement.op).__name__)}="
    if isinstance(value, gast.Call):
        return _text(value.func)
    if isinstance(value, (gast.BinOp, gast.UnaryOp)):
        return _OPERATORS.get(type(value.op), type(value.op).__name__)
    if isinstance(value, gast.Subscript):
        return "[]"
    return "=" if value is not None else type(statement).__name__


_OPERATORS = {
    gast.Add: "+", gast.Sub: "-", gast.Mult: "*", gast.Div: "/", gast.Pow: "**", gast.MatMult: "@",
    gast.USub: "-", gast.Mod: "%", gast.FloorDiv: "//",
}  # fmt: skip


def _text(node: Any) -> str:
    """The text of a statement or expression, in one line."""
    statement = node if isinstance(node, gast.stmt) else gast.Expr(value=node)
    text = emit(gast.Module(body=[statement], type_ignores=[])).text
    return " ".join(text.split())


def root(window: gast.expr) -> str | None:
    """The name at the bottom of a window; None where there is none.

    >>> root(gast.parse("u[1:-1].T.reshape(-1)[0]").body[0].value)
    'u'
    """
    while (cls := window.__class__) is not gast.Name:
        if cls is gast.Subscript or cls is gast.Attribute:
            window = window.value
        elif cls is gast.Call and isinstance(window.func, gast.Attribute):
            window = window.func.value
        else:
            return None
    return str(window.id)
