"""From a function to its normal form."""

from __future__ import annotations

import types

from autodiff import runtime
from autodiff.analysis.kind import UNKNOWN, differentiable
from autodiff.analysis.scope import Scope
from autodiff.frontend.source import MARK
from autodiff.normalize.normal import normal_form
from autodiff.normalize.sites import Callee
from autodiff.normalize.sugar.context import HELPERS
from autodiff.pipeline.options_told import options_told
from autodiff.pipeline.request import Request
from autodiff.pipeline.unit import Unit
from autodiff.recursion import Recursion
from autodiff.syntax.names import Names, all_names, parameters, reads, rename


def normalize(
    function: types.FunctionType,
    request: Request,
    recursion: Recursion,
    form: Callee | None = None,
) -> Unit:
    """source, fence, desugar, control, anf, versions; unless the normal form is given."""
    form = form or normal_form(function)
    if function.__code__ in recursion.divided:
        form = options_told(form, request.kinds)
    names = Names(all_names(form.tree))
    given = dict(zip(parameters(form.tree.args), request.kinds))
    inputs = tuple(n for n in request.wrt if differentiable(given.get(n, UNKNOWN)))
    used = sorted(reads(form.tree) & HELPERS)
    chosen = {word: names.fresh(word.removeprefix(MARK)) for word in used}
    meanings = {new: getattr(runtime, word.removeprefix(MARK)) for word, new in chosen.items()}
    scope = Scope(form.namespace, meanings)
    unit = Unit(
        tree=rename(form.tree, chosen) if chosen else form.tree,
        names=names,
        scope=scope,
        given=given,
        inputs=inputs,
        temporaries=set(form.temporaries),
        main=function.__code__,
        recursion=recursion,
        asked=request.asked,
    )
    unit.keep("normalize")
    return unit
