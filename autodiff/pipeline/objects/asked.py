"""Methods and properties of objects that change, where nothing flows: in tests, slices, ranges.

    while self.energy() < 100.0:            while np.sum(self.state**2) < 100.0:
        ...                                     ...

A body that is one expression takes the place of the call. Of any other, the statements come before
the one that asks, if it asks in any case and before it calls anything else; a loop asks again at
the end of its body.
"""

from __future__ import annotations

from typing import Any

import gast

from autodiff.analysis.callees import Resolver
from autodiff.analysis.known import Kinds
from autodiff.analysis.objects import Parts
from autodiff.errors import UnsupportedSyntaxError
from autodiff.normalize.anf import hint
from autodiff.normalize.build import assign
from autodiff.normalize.inline import Inliner
from autodiff.normalize.sites import Site
from autodiff.pipeline.headers import after, can_wait, evaluated, first, parted
from autodiff.pipeline.objects.opening import with_body
from autodiff.pipeline.unit import Unit
from autodiff.syntax.names import bound_inside, name, reads, substitute
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import map_children, of_class, shallow

_HEADERS = ("test", "iter", "items", "type")
_BLOCKS = ("body", "orelse", "finalbody", "handlers")
_COMPOUND = (gast.If, gast.For, gast.While, gast.With, gast.Try, gast.ExceptHandler)
_ASKING = (gast.Attribute, gast.Call)
_SCOPES = (gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
_SIMPLE = (gast.Name, gast.Constant, gast.Attribute)
_DEEPEST = 20
"""How often an expression takes the place of a call in one statement: of a recursion no more."""


def asked(unit: Unit, known: Kinds, inliner: Inliner, resolver: Resolver) -> bool:
    """Inline such calls; whether there were any."""
    asking = _Asked(unit, known, inliner, resolver)
    body = asking.block(unit.tree.body)
    if asking.changed:
        unit.tree = with_body(unit.tree, body)
        unit.guards.extend(inliner.guards)
        unit.checks.extend(resolver.checks)
    return asking.changed


class _Asked:
    def __init__(self, unit: Unit, known: Kinds, inliner: Inliner, resolver: Resolver) -> None:
        self.unit = unit
        self.known = known
        self.inliner = inliner
        self.resolver = resolver
        self.changed = False
        self.kept: list[gast.stmt] = []
        """Statements are told apart by `id`, so none may be forgotten."""

    def block(self, statements: list[gast.stmt]) -> list[gast.stmt]:
        return [part for statement in statements for part in self.statement(statement)]

    def statement(self, statement: Any) -> list[gast.stmt]:
        if isinstance(statement, _COMPOUND):
            new = shallow(statement)
            for field in _BLOCKS:
                if getattr(statement, field, None):
                    setattr(new, field, self.block(getattr(statement, field)))
            self.inliner.carry(statement, new)
            headers = [h for h in map(statement.__dict__.get, _HEADERS) if h]
        else:
            new, headers = statement, [statement]
        folded = self.folded(statement, headers)
        if folded:
            return [self.replaced(new, folded)]
        for header in headers:
            before = self.before(statement, new, header)
            if before is not None:
                return before
        return [new]

    def folded(self, statement: gast.stmt, headers: list[Any]) -> dict[int, gast.expr]:
        """Expressions for calls in a statement, by the `id` of these; the outermost ones."""
        found: dict[int, gast.expr] = {}
        if self.inliner.chains.get(id(statement), ()).count(_FOLDED) < _DEEPEST:
            waiting = list(headers)
            bound = bound_inside(statement)
            while waiting:
                node = waiting.pop()
                if isinstance(node, list):
                    waiting.extend(node)
                    continue
                if self.may_ask(statement, node):
                    expression = _expression(*self.spliced(statement, node, keep=False))
                    free = set() if expression is None else reads(expression) - reads(node)
                    if expression is not None and not free & bound:
                        found[id(node)] = expression
                        continue
                waiting.extend(evaluated(node))
        return found

    def may_ask(self, statement: Any, node: Any) -> bool:
        """Whether a node reads an object that is held by its parts, and is not inlined already."""
        if not isinstance(node, _ASKING) or isinstance(getattr(node, "ctx", None), gast.Store):
            return False
        if isinstance(statement, (gast.Assign, gast.Expr)) and node is statement.value:
            return False
        names = self.known.names
        asked = [n for n in reads(node) if isinstance(names.get(n), Parts)]
        return bool(asked) and bound_inside(statement).isdisjoint(asked)

    def spliced(
        self, statement: gast.stmt, node: Any, keep: bool, target: str | None = None
    ) -> tuple[list[gast.stmt], str, set[str]]:
        """The statements that compute a call into a name, none if they are not known."""
        names, chains = self.inliner.names, self.inliner.chains
        taken, framed = set(names.taken), set(self.unit.scope.framed)
        local, made = set(self.inliner.local), set(self.inliner.temporaries)
        own = target or names.fresh(hint(node))
        fake = assign(own, node, origin_of(statement))
        gast.copy_location(fake, statement)
        chains[id(fake)] = chains.get(id(statement), ())
        self.kept.append(fake)
        recursive = set(self.resolver.recursive)
        try:
            site = self.resolver.resolve(fake, node)
        except UnsupportedSyntaxError:
            site = None  # as a whole, the object may do
        body: list[gast.stmt] = []
        if isinstance(site, Site):
            body = self.inliner.splice(fake, site)
            self.kept.extend(body)
        else:
            self.resolver.recursive.intersection_update(recursive)
        temporaries = self.inliner.temporaries | {own}
        if not keep:
            names.taken, self.unit.scope.framed = taken, framed
            self.inliner.local = local
            self.inliner.temporaries.intersection_update(made)  # the unit's own
        return body, own, temporaries

    def replaced(self, statement: Any, folded: dict[int, gast.expr]) -> gast.stmt:
        def visit(node: Any) -> Any:
            own = folded.get(id(node))
            if own is not None:
                return gast.copy_location(own, node)
            if isinstance(node, gast.stmt) and node is not statement:
                return node
            return map_children(visit, node)

        new: gast.stmt = visit(statement)
        chain = self.inliner.chains.get(id(statement), ())
        self.inliner.carry(statement, new)
        self.inliner.chains[id(new)] = (*chain, _FOLDED)
        self.changed = True
        return new

    def before(self, statement: Any, new: Any, header: Any) -> list[gast.stmt] | None:
        """The statement after what computes the call that it evaluates first."""
        expression = getattr(header, "value", None) if header is statement else header
        if not can_wait(statement) or not isinstance(expression, gast.expr):
            return None
        node = first(expression)
        if node is None or not self.may_ask(statement, node):
            return self.parted(statement, new)
        body, own, _ = self.spliced(statement, node, keep=True)
        if not body:
            return self.parted(statement, new)
        result = self.replaced(new, {id(node): name(own)})
        self.inliner.chains[id(result)] = self.inliner.chains.get(id(statement), ())
        self.inliner.temporaries.add(own)
        self.inliner.local.add(own)
        return after(result, body, lambda: self.spliced(statement, node, True, own)[0])

    def parted(self, statement: Any, new: Any) -> list[gast.stmt] | None:
        """The test as branches, where a call is skipped at times."""

        def asks(node: Any) -> bool:
            if not self.may_ask(statement, node):
                return False
            return bool(self.spliced(statement, node, keep=False)[0])

        made = parted(new, asks, self.fresh)
        if made is not None:
            self.changed = True
            for part in made:
                self.inliner.follow(part, self.inliner.chains.get(id(statement), ()))
        return made

    def fresh(self) -> str:
        own = self.inliner.names.fresh("holds")
        self.inliner.temporaries.add(own)
        self.inliner.local.add(own)
        return own


_FOLDED = "an expression in the place of a call"


def _expression(body: list[gast.stmt], own: str, temporaries: set[str]) -> gast.expr | None:
    """The one expression that statements compute into a name; None if they do anything else."""
    values: dict[str, gast.expr] = {}
    loads = [node.id for node in of_class(body, gast.Name) if isinstance(node.ctx, gast.Load)]
    for statement in body:
        target = statement.targets[0] if isinstance(statement, gast.Assign) else None
        if not isinstance(target, gast.Name) or target.id in values or own in values:
            return None
        inside = {n for scope in of_class(statement.value, *_SCOPES) for n in reads(scope)}
        if any(not isinstance(values[n], _SIMPLE) for n in inside & values.keys()):
            return None
        value = substitute(statement.value, values)
        is_simple = isinstance(value, _SIMPLE)
        if not is_simple and (target.id not in temporaries or loads.count(target.id) > 1):
            return None
        values[target.id] = value
    return values.get(own)

