"""What is remembered of nodes is what is there: no pass changes a node that others have seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast
import pytest

from autodiff.kinds.known import _EXPRESSIONS, Kinds
from autodiff.kinds.operation import Operation
from autodiff.kinds.remembered import Answers, Remembered
from autodiff.pipeline import compiler
from autodiff.syntax import memo
from autodiff.syntax.names import reads
from autodiff.syntax.walk import same
from tests.golden.case import Case, collect


def agree(old: Any, new: Any) -> bool:
    if isinstance(old, Operation) and isinstance(new, Operation):  # it may hold nodes made for it
        return old.function == new.function and same(list(old.arguments), list(new.arguments))
    return bool(old == new)


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every memo is compared with what it was made from when the compilation ends, and every
    remembered kind when it is asked for; returns the differences."""
    found: list[str] = []
    forget, answer = memo.forget, Remembered.answer

    def compare_all() -> None:
        for table in memo.memos:
            for node, old in list(table.items()):
                if not agree(old, table.find(node)):
                    found.append(f"{table.find.__name__}: {gast.dump(node)}")
        forget()

    def compare(
        self: Remembered, answers: Answers, node: gast.AST, find: Callable[[Any, Any], Any]
    ) -> Any:
        if node in answers and not agree(answers[node], find(self, node)):
            found.append(f"{find.__name__}: {gast.dump(node)}")
        return answer(self, answers, node, find)

    of = Kinds.of

    def compare_kind(self: Kinds, node: gast.expr) -> Any:
        handler = _EXPRESSIONS.get(type(node))
        known = node in self.found and handler is not None
        if known and self.found[node] != handler(self, node):
            found.append(f"kind: {gast.dump(node)}")
        return of(self, node)

    monkeypatch.setattr(compiler, "forget", compare_all)
    monkeypatch.setattr(Remembered, "answer", compare)
    monkeypatch.setattr(Kinds, "of", compare_kind)
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
