"""What expressions depend on: parts of dicts that nobody changes, arithmetic; and asking once."""

from __future__ import annotations

from dataclasses import replace

import gast
import pytest

from autodiff.optimize.effects import effects
from autodiff.optimize.scan import Scan
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


@pytest.mark.parametrize(
    "code",
    ["a * b", "a * a - b / 3", "a * (b + 2.0) ** 2", "a * x", "a * f(b)", "a * 'text'", "a * -b"],
)
def test_arithmetic_on_numbers_has_the_effects_that_a_walk_finds(code: str) -> None:
    facts = replace(facts_of(), numbers=frozenset("ab"))
    node = gast.parse(code).body[0].value
    scan = Scan(facts)
    scan.top(node)
    known = effects(node, facts)
    assert known.loads == scan.loads
    assert (known.looks, known.stores, known.calls) == (scan.looks, scan.stores, scan.calls)
    assert (known.writes, known.held, known.callees) == (scan.writes, scan.held, scan.callees)


def test_effects_are_found_once_and_let_go() -> None:
    facts = facts_of()
    node = gast.parse("y = a * b").body[0]
    known = facts.effects[node]
    assert known.writes == {"y"}
    assert facts.effects[node] is known
    facts.forget()
    assert not facts.effects
