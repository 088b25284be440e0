"""A function that has a rule, as the one call of it: its derivative is what the rule says."""

from __future__ import annotations

import inspect
import types
from dataclasses import replace

from autodiff.analysis.kind import Array, Kind, Record, Scalar, Sequence, Static
from autodiff.frontend.source import Namespace
from autodiff.loader import load
from autodiff.normalize.normal import normal_form
from autodiff.normalize.sites import Callee
from autodiff.rules import registry
from autodiff.syntax.walk import shallow

_FORMS: dict[object, str] = {
    inspect.Parameter.KEYWORD_ONLY: "{0}={1}",
    inspect.Parameter.VAR_POSITIONAL: "*{0}",
    inspect.Parameter.VAR_KEYWORD: "**{0}",
}


def called(function: types.FunctionType) -> Callee:
    """The normal form of a function; of one to which a user gave a rule, `return f(x, k)`."""
    rule = registry.rule_for(function)
    if rule is None or registry.is_of_library(rule):
        return normal_form(function)
    return call_of(function)


def call_of(function: types.FunctionType, kinds: tuple[Kind, ...] = ()) -> Callee:
    """The normal form of `return f(x, k)`, with the parameters of the function.

    With `kinds` after assertions: what is derived for a list is not to be used for an array. What
    is None is handed on as that, which decides the tests for it.
    """
    parameters = inspect.signature(function, follow_wrapped=False).parameters.values()
    names = [p.name for p in parameters]
    own = function.__name__ if function.__name__.isidentifier() else "function"
    while own in names:
        own += "_"
    bare = [p.replace(default=p.empty, annotation=p.empty) for p in parameters]
    absent = {name for name, kind in zip(names, kinds) if kind == Static(None)}
    given = [
        _FORMS.get(p.kind, "{1}").format(p.name, "None" if p.name in absent else p.name)
        for p in parameters
    ]
    head = f"def call_{own}{inspect.Signature(bare)}:"
    body = [*_assertions(dict(zip(names, kinds))), f"return {own}({', '.join(given)})"]
    text = "\n    ".join([head, *body]) + "\n"
    namespace = normal_form(function).namespace if kinds else Namespace({})
    form = normal_form(load(text, f"call_{own}", namespace, {own: function}, {}))
    tree = shallow(form.tree)
    tree.name = own
    return replace(form, tree=tree)


def _assertions(kinds: dict[str, Kind]) -> list[str]:
    made = ((own, _class_of(kind)) for own, kind in kinds.items())
    found = [f"assert isinstance({own}, {cls})" for own, cls in made if cls]
    found += [f"assert {own} is None" for own, kind in kinds.items() if kind == Static(None)]
    ranks = [(own, len(kind.shape)) for own, kind in kinds.items() if isinstance(kind, Array)]
    return [*found, *(f"assert {own}.ndim == {rank}" for own, rank in ranks)]


def _class_of(kind: Kind) -> str | None:
    """The built-in class that all values of a kind are of."""
    if isinstance(kind, Scalar):
        of_python = kind.dtype is None or (kind.type, kind.dtype) == ("float", "float64")
        return kind.type if of_python and kind.type in ("int", "float") else None
    if isinstance(kind, (Record, Sequence)) and kind.cls in (list, tuple, dict):
        return str(kind.cls.__name__)
    return None
