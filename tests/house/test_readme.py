"""The README is true: its code runs, and shows what the code prints."""

import contextlib
import importlib.util
import io
import re
import sys

import pytest


@pytest.fixture(scope="module")
def readme(root):
    return (root / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def ran(readme, tmp_path_factory):
    """The module made of all python blocks, each on its own lines of the README, and its output."""
    lines, inside = [], False
    for line in readme.splitlines():
        if inside and line.startswith("```"):
            inside = False
        lines.append(line if inside else "")
        if line.strip() == "```python":
            inside = True
    path = tmp_path_factory.mktemp("readme") / "example.py"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    spec = importlib.util.spec_from_file_location("example", path)
    module = sys.modules["example"] = importlib.util.module_from_spec(spec)
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        spec.loader.exec_module(module)
    yield module, output.getvalue()
    del sys.modules["example"]


def without_places(text):
    """The text with line numbers and folders of files left out."""
    text = re.sub(r'File ".*?([^/"]+)", line \d+', r'File "\1"', text)
    return re.sub(r"(\w\.py):\d+", r"\1", text)


def test_code_runs(ran):
    module, _ = ran
    assert module.force.shape == (4,)


def test_generated_code_is_shown_as_it_is(readme, ran):
    module, _ = ran
    (shown,) = re.findall(r"```py\n(.*?)```", readme, re.DOTALL)
    assert without_places(shown.strip()) == without_places(module.energy.source.strip())


def test_output_is_shown_as_it_is(readme, ran):
    _, output = ran
    shown = without_places(readme)
    for line in without_places(output).splitlines():
        assert f"    {line}".rstrip() in shown


def test_two_commands_and_pip_are_named(readme):
    for command in ("make demo", "make test", "pip install -e ."):
        assert command in readme
