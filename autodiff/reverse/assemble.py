"""Both sweeps put together into one function that a person can read."""

from __future__ import annotations

from dataclasses import dataclass

import gast

from autodiff.analysis.exposure import exposed_reads
from autodiff.optimize.sections import FORWARD, REVERSE
from autodiff.reverse.certainty import certain_pushes
from autodiff.syntax.definition import definition
from autodiff.syntax.emit import comment, is_comment
from autodiff.syntax.names import Names, all_names, name, store, writes
from autodiff.syntax.origin import Origin, origin_of
from autodiff.syntax.quote import quote_statements
from autodiff.syntax.walk import map_children, statements, walk


@dataclass(frozen=True, slots=True)
class Parts:
    """What a generated function is made of.

    value: what the forward sweep gives, None for a bare gradient.
    gradient: what the reverse sweep gives.
    seed: the parameter of the pullback; None when both sweeps run in one go.
    duplicates: the helper of that name, for a pullback that puts back what was overwritten in the
    memory behind the names of `memory`; else None.
    """

    name: str
    arguments: gast.arguments
    docstring: str
    forward: list[gast.stmt]
    reverse: list[gast.stmt]
    tape: str | None
    tape_class: gast.expr
    initial: list[gast.stmt]
    value: gast.expr | None
    gradient: gast.expr
    seed: str | None
    duplicates: gast.expr | None = None
    memory: frozenset[str] = frozenset()


def assemble(parts: Parts) -> gast.FunctionDef:
    """The generated function, its two sweeps marked by comments."""
    body: list[gast.stmt] = []
    pullback = None if parts.seed is None else _pullback(parts)
    if parts.tape is not None:
        body.extend(quote_statements("t = T()", t=parts.tape, T=parts.tape_class))
    body.extend(parts.initial)
    body.append(comment(FORWARD))
    body.extend(parts.forward)
    if pullback is None:
        body.append(comment(REVERSE))
        body.extend(parts.reverse)
        body.append(gast.Return(value=_returned(parts)))
    else:
        body.append(pullback)
        pair = gast.Tuple(elts=[parts.value, name(pullback.name)], ctx=gast.Load())
        body.append(gast.Return(value=pair))
    made = definition(parts.name, parts.arguments, body)
    origin = next((o for o in map(origin_of, reversed(parts.forward)) if o is not None), None)
    for node in statements(made):
        if isinstance(node, gast.Return):
            node.origin = origin
    return made


def _returned(parts: Parts) -> gast.expr:
    if parts.value is None:
        return parts.gradient
    return gast.Tuple(elts=[parts.value, parts.gradient], ctx=gast.Load())


def _pullback(parts: Parts) -> gast.FunctionDef:
    """The reverse sweep as a function of the seed, which can be called again and again."""
    assert parts.seed is not None
    body: list[gast.stmt] = [comment(REVERSE)]
    body.extend(parts.reverse)
    body.append(gast.Return(value=parts.gradient))
    exposed: set[str] = set()
    exposed_reads(body, set(), exposed)
    assigned = writes(body) & (writes(parts.forward) | writes(parts.initial) | _parameters(parts))
    memory = sorted(parts.memory & exposed) if parts.duplicates is not None else []
    kept = sorted((assigned & exposed) | set(memory))
    body[:0] = _beginning(parts, memory, bool(parts.memory & _changed(body)))
    certain = certain_pushes(parts.forward, _parameters(parts) | writes(parts.initial), set())
    for identifier in kept:
        if identifier not in certain:
            parts.initial.extend(quote_statements("x = None", x=identifier))
    if parts.tape is not None:
        kept.append(parts.tape)
    arguments = gast.arguments(
        args=[_parameter(parts.seed), *(_parameter(identifier) for identifier in kept)],
        posonlyargs=[],
        vararg=None,
        kwonlyargs=[],
        kw_defaults=[],
        kwarg=None,
        defaults=[name(identifier) for identifier in kept],
    )
    taken = all_names([*parts.initial, *parts.forward, *body, parts.value, parts.arguments])
    return definition(Names(taken).fresh("pullback"), arguments, body)


def _beginning(parts: Parts, memory: list[str], changes: bool) -> list[gast.stmt]:
    """A pullback leaves the tape, and what it puts back into memory, as they are for the next.

    changes: it puts something back, perhaps into memory that comes from the tape.
    """
    own = [*memory, *([parts.tape] if parts.tape is not None else [])]
    if memory or own and changes and parts.duplicates is not None:
        value = gast.Call(func=parts.duplicates, args=[name(n) for n in own], keywords=[])
        targets = gast.Tuple(elts=[store(n) for n in own], ctx=gast.Store())
        return [gast.Assign(targets=[targets], value=value)]
    if parts.tape is None:
        return []
    return quote_statements("t = T(t)", t=parts.tape, T=parts.tape_class)


def _changed(body: list[gast.stmt]) -> set[str]:
    """Names whose memory statements change."""
    found: set[str] = set()
    for node in statements(body):
        if isinstance(node, gast.AugAssign):
            found |= all_names(node.target)
        elif isinstance(node, gast.Expr):
            found |= all_names(node)
        elif isinstance(node, gast.Assign) and not isinstance(node.targets[0], gast.Name):
            found |= all_names(node.targets[0]) - writes(node)
    return found


def _parameters(parts: Parts) -> set[str]:
    return {node.id for node in walk(parts.arguments) if isinstance(node, gast.Name)}


def _parameter(identifier: str) -> gast.Name:
    node = store(identifier)
    node.ctx = gast.Param()
    return node


def bare(arguments: gast.arguments) -> gast.arguments:
    """Parameters without annotations and defaults."""

    def plain(node: gast.Name | None) -> gast.Name | None:
        return None if node is None else _parameter(node.id)

    return gast.arguments(
        args=[plain(a) for a in arguments.args],
        posonlyargs=[plain(a) for a in arguments.posonlyargs],
        vararg=plain(arguments.vararg),
        kwonlyargs=[plain(a) for a in arguments.kwonlyargs],
        kw_defaults=[None for _ in arguments.kwonlyargs],
        kwarg=plain(arguments.kwarg),
        defaults=[],
    )


def decorate(tree: gast.FunctionDef, docstring: str) -> gast.FunctionDef:
    """The finished function: docstring, titles, above each adjoint the statement it reverses."""
    new = map_children(lambda child: child, tree)
    body = _titled(list(tree.body))
    text = gast.Expr(value=gast.Constant(value=docstring, kind=None))
    new.body = [text, *body]
    return new


def _titled(body: list[gast.stmt]) -> list[gast.stmt]:
    out: list[gast.stmt] = []
    reverse = False
    for index, statement in enumerate(body):
        if is_comment(statement):
            reverse = str(statement.value.value) == REVERSE
            following = body[index + 1] if index + 1 < len(body) else None
            if following is not None and not is_comment(following) and not _is_end(following):
                out.extend([*([comment("")] if out else []), statement])
            continue
        if isinstance(statement, gast.FunctionDef) and any(map(_begins_reverse, statement.body)):
            inner = map_children(lambda child: child, statement)
            inner.body = _titled(list(statement.body))
            out.extend([comment(""), inner, comment("")])
            continue
        if reverse:
            rest = body[index:]
            out.extend(_commented(rest))
            break
        out.append(statement)
    return out


def _begins_reverse(statement: gast.stmt) -> bool:
    return is_comment(statement) and str(statement.value.value) == REVERSE


def _is_end(statement: gast.stmt) -> bool:
    return isinstance(statement, gast.FunctionDef)


def _commented(statements: list[gast.stmt]) -> list[gast.stmt]:
    """Reverse code with the source statement as a comment above each group."""
    out: list[gast.stmt] = []
    last: Origin | None = None
    for statement in statements:
        origin = origin_of(statement)
        if isinstance(statement, (gast.If, gast.For, gast.With)):
            new = map_children(lambda child: child, statement)
            new.body = _commented(statement.body)
            if getattr(statement, "orelse", None):
                new.orelse = _commented(statement.orelse)
            out.append(new)
            last = None
            continue
        silent = getattr(statement, "site", None) is not None or isinstance(statement, gast.Return)
        silent = silent or getattr(statement, "forward", False)  # it says itself what it is
        if origin is not None and origin != last and not silent:
            out.append(comment(origin.text))
            last = origin
        out.append(statement)
    return out


