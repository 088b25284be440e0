"""What is remembered of nodes is what is there: no pass changes a node that others have seen."""

from __future__ import annotations

import gast
import pytest

from autodiff.pipeline import compiler
from autodiff.syntax import memo
from autodiff.syntax.names import reads
from tests.golden.case import Case, collect


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every memo is compared with what it was made from when the compilation ends."""
    found: list[str] = []
    forget = memo.forget

    def compare_all() -> None:
        for table in memo.memos:
            for node, old in list(table.items()):
                if old != table.find(node):
                    found.append(f"{table.find.__name__}: {gast.dump(node)}")
        forget()

    monkeypatch.setattr(compiler, "forget", compare_all)
    return found


@pytest.mark.parametrize("case", collect(), ids=lambda case: case.name)
def test_no_answer_is_stale(case: Case, checked: list[str]) -> None:
    case.text()
    assert checked == []


def test_a_changed_node_is_found(checked: list[str]) -> None:
    """The comparison itself: a pass that changes a node in place does not go unnoticed."""
    tree = gast.parse("y = a * b").body[0]
    assert reads(tree) == {"a", "b"}
    tree.value.right.id = "c"
    compiler.forget()
    assert len(checked) == 1 and checked[0].startswith("_uses")


def test_memos_are_empty_after_a_compilation() -> None:
    collect()[0].text()
    assert not any(memo.memos)
