"""The page links the lines that belong together, says why values are pushed, and works alone."""

import html
import json
import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from autodiff import grad
from autodiff.derivatives.derivative import Derivative
from tests.language.test_language import PROGRAMS, fresh


def scaled(v, k):
    return k * np.tanh(v)


def running(u, k):
    for i in range(1, len(u)):
        u[i] *= k * u[i - 1]
        if u[i] > 2 and "a" < "b":
            u[i] = scaled(u[i], k)
    return np.sum(u)


class Rows(HTMLParser):
    """The lines of a page: their attributes and texts, by the pane that they are in."""

    def __init__(self, text):
        super().__init__()
        self.panes, self.row, self.pane = {"left": [], "source": [], "": []}, None, ""
        self.numbered = False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        named = dict(attributes)
        if named.get("id") in ("left", "source"):
            self.pane = named["id"]
        if "pass" in named.get("class", "").split():
            self.pane = ""
        if "row" in named.get("class", "").split():
            self.row = {**named, "text": ""}
            self.panes[self.pane].append(self.row)
        self.numbered = tag == "i"

    def handle_data(self, data):
        if self.row is not None and not self.numbered:
            self.row["text"] += data

    def handle_endtag(self, tag):
        self.numbered = False
        if tag == "div":
            self.row = None


def page(derivative, path):
    derivative.view(path)
    return path.read_text(encoding="utf-8")


@pytest.fixture
def derivative():
    made = grad(running)
    made(np.ones(4), 2.0)
    return made


def test_it_shows_both_texts_and_links_their_lines(derivative, tmp_path):
    panes = Rows(page(derivative, tmp_path / "page.html")).panes
    shown = "\n".join(row["text"] for row in panes["source"])
    assert re.sub(r" *\n", "\n", shown).strip() == derivative.source.strip()
    first = running.__code__.co_firstlineno
    left = {row["text"].strip(): row.get("data-key") for row in panes["left"]}
    assert left["u[i] *= k * u[i - 1]"] == f"test_view.py:{first + 2}"
    assert "return k * np.tanh(v)" in left
    store = [row for row in panes["source"] if row["text"].strip().startswith("u[i] = u_i * (k")]
    assert [row["data-key"] for row in store] == [f"test_view.py:{first + 2}"]
    heads = [row for row in panes["source"] if row["text"].strip() == "# u[i] *= k * u[i - 1]"]
    assert heads
    assert {row["data-key"] for row in heads} == {f"test_view.py:{first + 2}"}
    assert {row["class"].split()[1] for row in panes["source"]} == {"forward", "reverse"}
    keys = {row["data-key"] for row in panes["source"] if "data-key" in row}
    assert keys == {key for key in left.values() if key}


def test_it_says_why_what_is_pushed_is(derivative, tmp_path):
    text = page(derivative, tmp_path / "page.html")
    pushes = [row for row in Rows(text).panes["source"] if ".push(" in row["text"]]
    assert pushes
    for row in pushes:
        assert "read by line" in row["data-why"]
    for line in derivative.explain().splitlines():
        if line.startswith("    "):
            assert html.escape(line.strip()) in text
    assert "Nothing is pushed." not in text
    square = grad(lambda x: x * x)
    square(1.0)
    assert "Nothing is pushed." in page(square, tmp_path / "square.html")


def test_it_needs_nothing_else(derivative, tmp_path):
    text = page(derivative, tmp_path / "page.html")
    assert not re.search(r"""(src|href)\s*=\s*["'](?!#)""", text)
    assert "@import" not in text
    assert "url(" not in text


def test_it_is_made_without_pygments_too(derivative, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pygments", None)
    monkeypatch.setitem(sys.modules, "pygments.formatters", None)
    text = page(derivative, tmp_path / "page.html")
    rows = Rows(text).panes["source"]
    assert "\n".join(row["text"] for row in rows).split() == derivative.source.split()


def test_a_notebook_shows_it_in_a_frame(derivative):
    frame = derivative._repr_html_()
    (inside,) = re.findall(r'srcdoc="([^"]*)"', frame)
    assert "u_bar" in html.unescape(inside)


def test_what_is_refused_has_no_page():
    def items(x):
        yield x * 2.0

    assert grad(items, trace=False)._repr_html_().startswith("<pre>&lt;grad of ")


@pytest.mark.followed
def test_before_a_call_a_notebook_shows_what_to_do():
    made = grad(lambda p: p["a"] * p["b"])
    assert "call it once" in made._repr_html_()
    made({"a": 2.0, "b": 3.0})
    assert "iframe" in made._repr_html_()


def test_a_list_of_no_paths_is_not_there(derivative, tmp_path):
    assert "left out" not in page(derivative, tmp_path / "page.html")


SHOWN = [entry for entry in PROGRAMS if not entry.refusable][5::45]


@pytest.mark.parametrize("entry", SHOWN, ids=lambda entry: entry.name)
def test_programs_of_all_kinds_are_shown(entry, tmp_path):
    made = Derivative(entry.function, "vjp", entry.wrt_at(entry.points[0]))
    args, keywords = fresh(entry.points[0])
    made(*args, **keywords)
    panes = Rows(page(made, tmp_path / "page.html")).panes
    assert len(panes["source"]) == len(made.source.rstrip().split("\n"))
    left = {row.get("data-key") for row in panes["left"]}
    assert {row["data-key"] for row in panes["source"] if "data-key" in row} <= left


# ---- in a browser ------------------------------------------------------------------------------

FLAGS = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --hide-scrollbars
    --disable-background-networking --disable-component-update --disable-sync""".split()

SCRIPT = """<script>
const found = {}, row = code => all("#source .row").find(own => own.textContent.includes(code));
const seen = what => all(what).map(own => own.querySelector("code").textContent.trim());
const store = row("u[i] = u_i * (k");
store.dispatchEvent(new Event("mouseenter"));
found.pointed = seen("#left .row.on");
found.about = about.textContent;
store.dispatchEvent(new Event("mouseleave"));
found.away = seen(".row.on");
const origin = all("#left .row").find(own => own.textContent.includes("u[i] *="));
origin.click();
found.clicked = seen("#source .row.pin");
row("tape.push").dispatchEvent(new Event("mouseenter"));
found.kept = seen("#source .row.pin");
origin.click();
found.released = seen(".row.pin");
row("tape.push").click();
found.why = about.textContent;
slider.value = 0;
slider.dispatchEvent(new Event("input"));
found.pass = [document.getElementById("name").textContent, passes.filter(own => !own.hidden).length,
    document.getElementById("source").hidden];
found.fits = document.documentElement.scrollWidth <= innerWidth;
const result = document.createElement("pre");
result.id = "result";
result.textContent = JSON.stringify(found);
document.body.append(result);
</script>"""


@pytest.fixture
def browser(tmp_path):
    """Runs Chromium on a page, and gives what it prints."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        pytest.skip("Chromium is not installed")

    def run(path, *flags):
        command = [
            program,
            *FLAGS,
            f"--user-data-dir={tmp_path / 'user'}",
            "--window-size=1280,900",
        ]
        done = subprocess.run(
            [*command, *flags, f"file://{path}"], capture_output=True, timeout=120
        )
        return done.stdout.decode()

    return run


def test_lines_are_linked_in_a_browser(derivative, tmp_path, browser):
    path = tmp_path / "page.html"
    text = page(derivative, path)
    path.write_text(text.replace("</body>", f"{SCRIPT}</body>"), encoding="utf-8")
    (result,) = re.findall(r'<pre id="result">(.*?)</pre>', browser(path, "--dump-dom"))
    found = json.loads(html.unescape(result))
    assert found["pointed"] == ["u[i] *= k * u[i - 1]"]
    assert "u_i: float" in found["about"]
    assert "k: float" in found["about"]
    assert "from test_view.py:" in found["about"]
    assert found["away"] == []
    assert "u[i] = u_i * (k * u[i - 1])" in found["clicked"]
    assert "# u[i] *= k * u[i - 1]" in found["clicked"]
    assert found["kept"] == found["clicked"]
    assert found["released"] == []
    assert "read by line" in found["why"]
    assert found["pass"] == ["lower", 1, True]
    assert found["fits"]


def test_a_screenshot_is_kept(derivative, tmp_path, browser):
    """As an artifact beside the page: pytest keeps the folders of its last runs.

    Where `ARTIFACTS` names a folder, both are put there; .github/workflows/test.yml keeps it.
    """
    page(derivative, tmp_path / "page.html")
    picture = tmp_path / "page.png"
    browser(tmp_path / "page.html", f"--screenshot={picture}")
    assert picture.read_bytes()[1:4] == b"PNG"
    paper = tmp_path / "page.pdf"
    browser(tmp_path / "page.html", f"--print-to-pdf={paper}")
    assert paper.read_bytes().startswith(b"%PDF")
    if "ARTIFACTS" in os.environ:
        folder = Path(os.environ["ARTIFACTS"])
        folder.mkdir(parents=True, exist_ok=True)
        for file in (picture, paper, tmp_path / "page.html"):
            shutil.copy(file, folder / f"view{file.suffix}")
