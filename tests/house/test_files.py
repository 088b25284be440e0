"""Rooms stay small, and say what they are for."""

import ast

import pytest

from tests.house.modules import modules

LONGEST = 400


@pytest.mark.parametrize("module", modules())
def test_module_is_a_page(module):
    text = modules()[module].read_text(encoding="utf-8")
    lines = text.count("\n")
    assert lines <= LONGEST, f"{module} has {lines} lines: two things live in one room"
    if text.strip():
        assert ast.get_docstring(ast.parse(text)), f"{module} does not say what it is for"


def test_sizes(capsys):
    """Prints the long files; over 250 lines is a sign, not an error."""
    sizes = {name: len(file.read_text().splitlines()) for name, file in modules().items()}
    long = [f"{size:5} {name}" for name, size in sizes.items() if size > 250]
    with capsys.disabled():
        print(f"\n{sum(sizes.values())} lines in {len(sizes)} modules", *sorted(long), sep="\n")
