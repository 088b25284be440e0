"""The invariants of the core language, in words, checked after every pass in the tests.

Each check is a function from the tree to what it finds broken: a statement and a sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gast

from autodiff.errors import InternalError
from autodiff.syntax.comment import is_comment
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import children
from autodiff.syntax.windows import is_window

Broken = Iterator[tuple[gast.AST, str]]

_COMPOUND = (gast.If, gast.While, gast.For, gast.With, gast.Try)
_SCOPES = (gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
_TARGETS = (gast.Name, gast.Subscript, gast.Attribute)


def verify(tree: gast.FunctionDef, stage: str) -> None:
    """Check the invariants that hold after a pass: `desugar`, `control`, `anf` or `generated`.

    Raises:
        InternalError: names the stage, the invariant and the statement that breaks it.
    """
    for check in STAGES[stage]:
        for node, sentence in check(tree):
            raise InternalError(
                f"after {stage}: {sentence}",
                origin_of(node),
                why=f"invariant {check.__name__}: {check.__doc__}",
                cure="this is a mistake in autodiff; please report it",
            )


def is_function(tree: gast.FunctionDef) -> Broken:
    """The tree is a function definition without decorators."""
    if not isinstance(tree, gast.FunctionDef):
        yield tree, f"the tree is a {type(tree).__name__}"
    elif tree.decorator_list:
        yield tree, "the function has a decorator"


def has_full_blocks(tree: gast.FunctionDef) -> Broken:
    """Every block holds a statement; `pass` if there is nothing to do."""
    for statement in [tree, *_statements(tree.body)]:
        if statement is not tree and not isinstance(statement, _COMPOUND):
            continue
        for block in _bodies(statement):
            if all(is_comment(inner) for inner in block):
                yield statement, f"a block of {_form(statement)} is empty"


def has_origins(tree: gast.FunctionDef) -> Broken:
    """Every statement knows where in the user's file it came from."""
    for statement in [tree, *_statements(tree.body)]:
        if origin_of(statement) is None and not is_comment(statement):
            yield statement, f"{_form(statement)} has no origin"


def has_right_contexts(tree: gast.FunctionDef) -> Broken:
    """Names are marked as stored where they are assigned, as loaded where they are read."""
    for statement in _statements(tree.body):
        if isinstance(statement, gast.Assign):
            targets = statement.targets
        elif isinstance(statement, (gast.AugAssign, gast.For)):
            targets = [statement.target]
        else:
            targets = []
        for target in targets:
            for part in target.elts if isinstance(target, gast.Tuple) else [target]:
                if not isinstance(getattr(part, "ctx", None), gast.Store):
                    yield statement, "an assigned target is not marked as stored"
        for value in _values(statement):
            if isinstance(value, gast.Name) and not isinstance(value.ctx, gast.Load):
                yield statement, f"{value.id} is read but not marked as loaded"


def has_plain_targets(tree: gast.FunctionDef) -> Broken:
    """An assignment has one target: a name, a tuple of names, a subscript or an attribute."""
    for statement in _statements(tree.body):
        if isinstance(statement, gast.Assign):
            target = statement.targets[0]
            if len(statement.targets) > 1:
                yield statement, "an assignment has several targets"
            elif isinstance(target, gast.Tuple):
                if not all(isinstance(part, gast.Name) for part in target.elts):
                    yield statement, "a tuple that is assigned holds more than names"
            elif not isinstance(target, _TARGETS):
                yield statement, f"{_form(target)} is assigned"
        elif isinstance(statement, gast.AugAssign) and not isinstance(statement.target, _TARGETS):
            yield statement, f"{_form(statement.target)} is updated"


def has_no_sugar(tree: gast.FunctionDef) -> Broken:
    """Annotated assignments, `:=` and `match` have been replaced by what they mean."""
    for statement in _statements(tree.body):
        if isinstance(statement, (gast.AnnAssign, gast.Match)):
            yield statement, f"{_form(statement)} is left"
        if isinstance(statement, (gast.Assign, gast.AugAssign, *_COMPOUND, gast.Return)):
            for value in _values(statement):
                if any(isinstance(node, gast.NamedExpr) for node in _own_nodes(value)):
                    yield statement, "an expression assigns a name"


def has_counting_loops(tree: gast.FunctionDef) -> Broken:
    """A `for` loop counts: its target is a name, it runs over a range, maybe reversed."""
    for statement in _statements(tree.body):
        if isinstance(statement, gast.For):
            if not isinstance(statement.target, gast.Name):
                yield statement, "the target of a loop is not a name"
            if not _is_range(statement.iter):
                yield statement, "a loop does not run over a range"


def has_no_loop_else(tree: gast.FunctionDef) -> Broken:
    """No loop has an `else`."""
    for statement in _statements(tree.body):
        if isinstance(statement, (gast.For, gast.While)) and statement.orelse:
            yield statement, "a loop has an else"


def returns_last(tree: gast.FunctionDef) -> Broken:
    """There is one `return`: the last statement of the function, of an atom or of nothing."""
    statements = [s for s in tree.body if not is_comment(s)]
    last = statements[-1] if statements else tree
    if not isinstance(last, gast.Return):
        yield last, "the last statement is no return"
    for statement in _statements(tree.body):
        if isinstance(statement, gast.Return):
            if statement is not last:
                yield statement, "a return is not the last statement"
            elif statement.value is not None and not is_atom(statement.value):
                yield statement, "the returned value is not an atom"


def breaks_last(tree: gast.FunctionDef) -> Broken:
    """The only other jump is `if NAME: break`, as the last statement of a loop."""
    allowed = []
    for loop in _statements(tree.body):
        last = loop.body[-1] if isinstance(loop, (gast.For, gast.While)) else None
        if (
            isinstance(last, gast.If)
            and isinstance(last.test, gast.Name)
            and isinstance(last.body[0], gast.Break)
            and len(last.body) == 1
            and not last.orelse
        ):
            allowed.append(last.body[0])
    for statement in _statements(tree.body):
        if isinstance(statement, gast.Continue):
            yield statement, "there is a continue"
        if isinstance(statement, gast.Break) and not any(statement is jump for jump in allowed):
            yield statement, "a break is not `if NAME: break` at the end of a loop"


def has_one_operation(tree: gast.FunctionDef) -> Broken:
    """The right side of an assignment is one operation, and its operands are atoms."""
    for statement in _statements(tree.body):
        if isinstance(statement, gast.Assign):
            value = statement.value
            stores = isinstance(statement.targets[0], (gast.Subscript, gast.Attribute))
            if stores and not is_atom(value):
                yield statement, "what is stored in a part of something is not an atom"
        elif isinstance(statement, gast.AugAssign):
            value = statement.value
            if not is_atom(value):
                yield statement, "what updates something is not an atom"
        else:
            continue
        for operand in _operands(value):
            if not is_atom(operand):
                yield statement, f"{_form(operand)} is an operand"


def has_atomic_bases(tree: gast.FunctionDef) -> Broken:
    """Parts of an atom, or of a window of one, are assigned, not parts of another expression."""
    for statement in _statements(tree.body):
        if isinstance(statement, gast.Assign):
            target = statement.targets[0]
        elif isinstance(statement, gast.AugAssign):
            target = statement.target
        else:
            continue
        if isinstance(target, (gast.Subscript, gast.Attribute)) and not is_window(target.value):
            yield statement, f"a part of {_form(target.value)} is assigned"


def is_atom(node: gast.AST) -> bool:
    """Whether an expression is a name, a constant, or an attribute of a module (`np.pi`)."""
    while isinstance(node, gast.Attribute):
        node = node.value
    return isinstance(node, (gast.Name, gast.Constant))


Check = Callable[[gast.FunctionDef], Broken]

_ALWAYS: tuple[Check, ...] = (is_function, has_full_blocks, has_right_contexts)
_DESUGARED: tuple[Check, ...] = (
    *_ALWAYS,
    has_origins,
    has_plain_targets,
    has_no_sugar,
    has_counting_loops,
)
_CONTROLLED: tuple[Check, ...] = (*_DESUGARED, has_no_loop_else, returns_last, breaks_last)
_NORMAL: tuple[Check, ...] = (*_CONTROLLED, has_one_operation, has_atomic_bases)

STAGES: dict[str, tuple[Check, ...]] = {
    "desugar": _DESUGARED,
    "control": _CONTROLLED,
    "anf": _NORMAL,
    "generated": _ALWAYS,
}


def _statements(block: list[gast.stmt]) -> Iterator[Any]:
    """All statements, those in compound ones included; what is carried verbatim stays closed."""
    for statement in block:
        yield statement
        if isinstance(statement, _COMPOUND):
            for inner in _bodies(statement):
                yield from _statements(inner)


def _bodies(statement: Any) -> Iterator[list[gast.stmt]]:
    yield statement.body
    for field in ("orelse", "finalbody"):
        if getattr(statement, field, None):
            yield getattr(statement, field)
    for handler in getattr(statement, "handlers", ()):
        yield handler.body


def _values(statement: Any) -> Iterator[gast.expr]:
    """The expressions that a statement itself evaluates."""
    for field in ("value", "test", "iter"):
        value = getattr(statement, field, None)
        if isinstance(value, gast.expr):
            yield value
    for item in getattr(statement, "items", ()):
        yield item.context_expr


def _own_nodes(node: gast.AST) -> Iterator[gast.AST]:
    """The nodes of an expression that are not in a scope of their own."""
    yield node
    if not isinstance(node, _SCOPES):
        for child in children(node):
            yield from _own_nodes(child)


def _operands(value: Any) -> Iterator[gast.expr]:
    """The operands of an operation; expressions that are never differentiated have none."""
    if isinstance(value, gast.BinOp):
        yield from (value.left, value.right)
    elif isinstance(value, gast.UnaryOp) and not isinstance(value.op, gast.Not):
        yield value.operand
    elif isinstance(value, gast.Call):
        arguments = [*value.args, *(keyword.value for keyword in value.keywords)]
        yield from (a.value if isinstance(a, gast.Starred) else a for a in arguments)
        if isinstance(value.func, gast.Attribute):
            yield value.func.value
        else:
            yield value.func
    elif isinstance(value, (gast.Subscript, gast.Attribute)):
        yield value.value
    elif isinstance(value, (gast.Tuple, gast.List)):
        yield from (e.value if isinstance(e, gast.Starred) else e for e in value.elts)
    elif isinstance(value, gast.Dict):
        yield from value.values


def _is_range(node: Any) -> bool:
    if not isinstance(node, gast.Call) or not isinstance(node.func, gast.Name):
        return False
    if node.func.id == "reversed" and len(node.args) == 1:
        return _is_range(node.args[0])
    return bool(node.func.id == "range")


def _form(node: gast.AST) -> str:
    return f"a {type(node).__name__}"
