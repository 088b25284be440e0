"""CONTRIBUTING.md and docs are true: their files are there, their functions in Core as shown."""

import ast
import importlib.util
import re

import numpy as np
import pytest

from autodiff import grad
from tests.core.show import listings

PAGES = ("CONTRIBUTING.md", "docs/mechanisms.md", "CHANGELOG.md")
ARGUMENTS = {
    "running": (np.array([1.0, 2.0, 3.0, 4.0]),),
    "powers": (1.3, 3),
    "damped": (1.3, 1.0),
    "pair": (1.3, 0.2),
    "rate": (1.3,),
}
TITLES = ("", "# Forward sweep", "# Reverse sweep")
LEFT_OUT = "# drag_vjp stands before it"


def columns(root):
    """Of each example: the function, its listing, the body of its gradient."""
    text = (root / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```text\n(.*?)```", text, re.DOTALL)
    for example in block.strip("\n").split("\n\n"):
        parts = [[part.rstrip() for part in line.split(" | ")] for line in example.splitlines()]
        rows = [(*row, "", "")[:3] for row in parts]
        yield tuple(
            [line.rstrip(" |") for line in column if line.strip(" |")] for column in zip(*rows)
        )


@pytest.fixture(scope="module")
def examples(root, tmp_path_factory):
    found = list(columns(root))
    path = tmp_path_factory.mktemp("contributing") / "shown.py"
    sources = "\n".join(line for source, _, _ in found for line in source)
    path.write_text(f"import numpy as np\n{sources}\n", encoding="utf-8")
    spec = importlib.util.spec_from_file_location("shown", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module, {ast.parse("\n".join(each[0])).body[-1].name: each for each in found}


@pytest.mark.parametrize("name", ARGUMENTS)
def test_functions_are_shown_as_they_are(name, examples):
    module, shown = examples
    derivative = grad(getattr(module, name))
    core = dict(listings(derivative, *ARGUMENTS[name]))[f"lower {name}_grad"]
    assert shown[name][1] == [line[2:].rstrip() for line in core.splitlines()]
    body = derivative.source.split(f"def {name}_grad(")[1].splitlines()[2:]
    text = [line[4:] for line in body if line.strip() not in TITLES]
    assert [line for line in shown[name][2] if line != LEFT_OUT] == text


@pytest.mark.parametrize("page", PAGES)
def test_files_that_are_named_are_there(page, root):
    text = (root / page).read_text(encoding="utf-8")
    files = [str(file.relative_to(root)) for file in root.rglob("*.*") if ".git/" not in str(file)]
    for path in set(re.findall(r"`([\w/]+(?:\.py|\.md|/))`", text)):
        pattern = re.compile(rf"(^|/){re.escape(path)}" + ("" if path.endswith("/") else "$"))
        assert any(map(pattern.search, files)), f"{page} names {path}, which is not there"


@pytest.mark.parametrize(("page", "most"), [("CONTRIBUTING.md", 200), ("CHANGELOG.md", 200)])
def test_pages_are_short(page, most, root):
    lines = (root / page).read_text(encoding="utf-8").splitlines()
    assert len(lines) <= most
    assert max(map(len, lines)) <= 120
