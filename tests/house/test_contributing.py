"""CONTRIBUTING.md and docs are true: their files are there, their functions in Core as shown."""

import ast
import importlib.util
import re

import numpy as np
import pytest

from autodiff import grad, jacfwd
from tests.core.show import listings

PAGES = ("CONTRIBUTING.md", "docs/mechanisms.md", "CHANGELOG.md")
ROOMS = ("autodiff", "docs", "templates", "tests")
ARGUMENTS = {
    "running": (np.array([1.0, 2.0, 3.0, 4.0]),),
    "powers": (1.3, 3),
    "damped": (1.3, 1.0),
    "pair": (1.3, 0.2),
    "rate": (1.3,),
}
X = np.array([0.5, 2.0, 1.5])
MECHANISMS = {
    "swapped": (grad, (X, 3)),
    "left_out": (grad, (X,)),
    "solved": (grad, (X, 3)),
    "scan": (jacfwd, (X,)),
    "maybe": (grad, (X, 1)),
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


def loaded(sources, folder):
    """The module of some functions, which has a file, as their source is read."""
    path = folder / "shown.py"
    path.write_text(f"import numpy as np\n{sources}\n", encoding="utf-8")
    spec = importlib.util.spec_from_file_location("shown", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def examples(root, tmp_path_factory):
    found = list(columns(root))
    sources = "\n".join(line for source, _, _ in found for line in source)
    module = loaded(sources, tmp_path_factory.mktemp("contributing"))
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


@pytest.mark.parametrize("name", MECHANISMS)
def test_mechanisms_are_shown_as_they_are(name, root, tmp_path):
    text = (root / "docs/mechanisms.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```py\n(.*?)```", text, re.DOTALL)
    (block,) = [each for each in blocks if each.startswith(f"def {name}(")]
    source, shown = re.split(r"\n(?=def \w+_(?:grad|jvp)\()", block)
    form, arguments = MECHANISMS[name]
    derivative = form(getattr(loaded(source, tmp_path), name))
    derivative(*arguments)
    lines = [line for line in derivative.source.splitlines() if '"""' not in line]
    places = re.compile(r"\(line \d+\)")
    assert places.sub("", shown.strip()) == places.sub("", "\n".join(lines))


@pytest.mark.parametrize("page", PAGES)
def test_files_that_are_named_are_there(page, root):
    text = (root / page).read_text(encoding="utf-8")
    inside = [file for room in ROOMS for file in (root / room).rglob("*.*")]
    files = [str(file.relative_to(root)) for file in [*inside, *root.glob("*.md")]]
    for path in set(re.findall(r"`([\w/]+(?:\.py|\.md|/))`", text)):
        pattern = re.compile(rf"(^|/){re.escape(path)}" + ("" if path.endswith("/") else "$"))
        assert any(map(pattern.search, files)), f"{page} names {path}, which is not there"


@pytest.mark.parametrize(("page", "most"), [("CONTRIBUTING.md", 200), ("CHANGELOG.md", 200)])
def test_pages_are_short(page, most, root):
    lines = (root / page).read_text(encoding="utf-8").splitlines()
    assert len(lines) <= most
    assert max(map(len, lines)) <= 120


def test_what_changed_in_a_release_is_a_page(root):
    _, *releases = (root / "CHANGELOG.md").read_text(encoding="utf-8").split("\n## ")
    assert len(releases) >= 2
    assert all(len(release.splitlines()) <= 60 for release in releases)
