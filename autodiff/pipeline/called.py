"""A function that has a rule, as the one call of it: its derivative is what the rule says."""

from __future__ import annotations

import inspect
import types
from dataclasses import replace

from autodiff.frontend.source import Namespace
from autodiff.loader import load
from autodiff.normalize.normal import normal_form
from autodiff.normalize.sites import Callee
from autodiff.rules import registry
from autodiff.syntax.walk import shallow

_FORMS: dict[object, str] = {
    inspect.Parameter.KEYWORD_ONLY: "{0}={0}",
    inspect.Parameter.VAR_POSITIONAL: "*{0}",
    inspect.Parameter.VAR_KEYWORD: "**{0}",
}


def called(function: types.FunctionType) -> Callee:
    """The normal form of a function; of one to which a user gave a rule, `return f(x, k)`."""
    rule = registry.rule_for(function)
    if rule is None or registry.is_of_library(rule):
        return normal_form(function)
    parameters = inspect.signature(function, follow_wrapped=False).parameters.values()
    names = [p.name for p in parameters]
    own = function.__name__ if function.__name__.isidentifier() else "function"
    while own in names:
        own += "_"
    bare = [p.replace(default=p.empty, annotation=p.empty) for p in parameters]
    given = [_FORMS.get(p.kind, "{0}").format(p.name) for p in parameters]
    head = f"def call_{own}{inspect.Signature(bare)}:"
    text = f"{head}\n    return {own}({', '.join(given)})\n"
    form = normal_form(load(text, f"call_{own}", Namespace({}), {own: function}, {}))
    tree = shallow(form.tree)
    tree.name = own
    return replace(form, tree=tree)
