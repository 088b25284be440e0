"""The README and the pages of docs are true: their code runs, and prints what they show."""

import contextlib
import importlib.util
import io
import re
import sys

import pytest

import autodiff
from tests.house.modules import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
NEEDED = ("numba", "scipy")
ELSEWHERE = ("mechanisms.md",)
"""Their derivatives are compared by `test_contributing.py`."""


def code(text):
    """The Python blocks of a page, each on its own lines."""
    lines, inside = [], False
    for line in text.splitlines():
        inside = inside and not line.startswith("```")
        lines.append(line if inside else "")
        inside = inside or line.strip() == "```python"
    return "\n".join(lines) + "\n"


def without_places(text):
    """The lines of a text, with line numbers and folders of files left out."""
    text = re.sub(r'File ".*?([^/"]+)", line \d+', r'File "\1"', text)
    return [line.strip() for line in re.sub(r"(\w\.py):\d+", r"\1", text).splitlines()]


def output(source, folder):
    """What the code prints, run as the module `example`."""
    path = folder / "example.py"
    path.write_text(source, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("example", path)
    printed = io.StringIO()
    module = sys.modules["example"] = importlib.util.module_from_spec(spec)
    try:
        with contextlib.redirect_stdout(printed):
            spec.loader.exec_module(module)
    finally:
        del sys.modules["example"]
    return printed.getvalue()


IN_SECTIONS = ("interop.md",)
"""Of these each section is a program (`tests/interop/test_page.py`)."""


@pytest.mark.followed  # as users run it
@pytest.mark.parametrize(
    "page", [page for page in PAGES if page.name not in IN_SECTIONS], ids=lambda page: page.stem
)
def test_code_runs_and_prints_what_is_shown(page, tmp_path, monkeypatch):
    text = page.read_text(encoding="utf-8")
    for library in NEEDED:
        if re.search(rf"^(import|from) {library}\b", code(text), re.MULTILINE):
            pytest.importorskip(library)
    monkeypatch.chdir(tmp_path)
    printed = without_places(output(code(text), tmp_path))
    shown = iter(without_places(text))
    for line in printed:
        assert line in shown, f"{page.name} does not show what is printed: {line}"
    for block in re.findall(r"^```py\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        if page.name not in ELSEWHERE:
            lines = iter(printed)
            for line in without_places(block):
                assert line in lines, f"{page.name} shows what is not printed: {line}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_and_the_menu_lead_somewhere(page):
    text = page.read_text(encoding="utf-8")
    for path in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        assert (page.parent / path).exists(), f"{page.name} leads to {path}, which is not there"
    if page.name != "README.md":
        own = page.relative_to(ROOT / "docs").as_posix()
        assert f": {own}\n" in (ROOT / "mkdocs.yml").read_text(encoding="utf-8")


def test_the_reference_has_all_public_names():
    text = (ROOT / "docs/reference.md").read_text(encoding="utf-8")
    names = re.findall(r"^::: autodiff\.(?:\w+\.)*(\w+)$", text, re.MULTILINE)
    assert set(autodiff.__all__) <= set(names)


def test_two_commands_and_pip_are_named():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for command in ("make demo", "make test", "pip install -e ."):
        assert command in text
    assert text.count("\n") <= 150
