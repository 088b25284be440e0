"""Programs called from a module that has none of their globals: the same gradient, or refused.

What is inlined into a function of another module reads its globals by other names there.
"""

from __future__ import annotations

import dataclasses
import inspect
import linecache
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autodiff.errors import AutodiffError
from tests.language import oracle
from tests.language.test_language import PROGRAMS, Program, primal_value, pulled_back

pytestmark = pytest.mark.heavy  # a sweep

SOME = PROGRAMS[::4]
_FORMS = {
    inspect.Parameter.KEYWORD_ONLY: "{0}={0}",
    inspect.Parameter.VAR_POSITIONAL: "*{0}",
    inspect.Parameter.VAR_KEYWORD: "**{0}",
}


def called_from_elsewhere(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of a module of its own that calls this one."""
    given = inspect.signature(function).parameters.values()
    bare = [p.replace(default=p.empty, annotation=p.empty) for p in given]
    passed = ", ".join(_FORMS.get(p.kind, "{0}").format(p.name) for p in given)
    text = f"def call{inspect.Signature(bare)}:\n    return program_called({passed})\n"
    file = f"<elsewhere {function.__module__}.{function.__name__}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    namespace = {"program_called": function}
    exec(compile(text, file, "exec"), namespace)
    call: Any = namespace["call"]
    call.__defaults__ = function.__defaults__
    call.__kwdefaults__ = function.__kwdefaults__
    return call  # type: ignore[no-any-return]


@pytest.mark.parametrize("entry", SOME, ids=lambda entry: entry.name)
def test_the_gradient_is_the_same(entry: Program) -> None:
    point = entry.points[0]
    seed = oracle.seed_for(primal_value(entry, point))
    elsewhere = dataclasses.replace(entry, function=called_from_elsewhere(entry.function))
    try:
        expected = pulled_back(entry, point, seed)
        found = pulled_back(elsewhere, point, seed)
    except AutodiffError:
        pytest.skip("refused")
    if expected is None or found is None:
        pytest.skip("cannot be written")
    pairs = zip(oracle.leaves(list(expected[1])), oracle.leaves(list(found[1])))
    for own, other in pairs:
        np.testing.assert_allclose(other, own, rtol=1e-9, atol=1e-12)
