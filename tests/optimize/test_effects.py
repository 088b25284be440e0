"""What reading a part of a dict that nobody changes depends on."""

from __future__ import annotations

from dataclasses import replace

import gast
import pytest

from autodiff.optimize.effects import effects
from tests.optimize.running import facts_of


@pytest.mark.parametrize(
    ("code", "looks"),
    [
        ("d['u']", False),  # the array itself, whatever it holds
        ("d['u'] * 2.0", True),
        ("np.sin(d['u'])", True),
        ("d['u'][0]", True),
        ("e['u']", True),
    ],
)
def test_only_the_reference_outlasts_stores(code: str, looks: bool) -> None:
    def is_fixed(node: gast.expr) -> bool:
        return isinstance(node, gast.Subscript) and getattr(node.value, "id", "") == "d"

    node = gast.parse(code).body[0].value
    known = effects(node, replace(facts_of(), fixed=is_fixed))
    assert known.looks is looks
    assert code[code.index("[") - 1] in known.loads
