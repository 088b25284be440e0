"""Each section of the gallery shows a small picture of its own, which the script draws again."""

import os
import re
import subprocess
import sys

import pytest

from tests.house.modules import ROOT

PICTURES = ROOT / "docs" / "pictures"
SECTIONS = {
    title: re.findall(r"^!\[.+\]\(pictures/(\w+)\.svg\)\n\n\w", text, re.MULTILINE)
    for title, text in re.findall(
        r"^## (.+?)\n(.*?)(?=^## |\Z)",
        (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8"),
        re.DOTALL | re.MULTILINE,
    )
    if title != "Examples with data"
}


def test_there_are_ten_sections():
    assert len(SECTIONS) >= 10


@pytest.mark.parametrize("title", SECTIONS)
def test_a_section_shows_a_small_picture_and_says_what_one_sees(title):
    (name,) = SECTIONS[title]
    text = (PICTURES / f"{name}.svg").read_text(encoding="utf-8")
    assert text.startswith("<?xml") and len(text) < 60_000


def test_each_picture_is_shown():
    shown = [f"{name}.svg" for names in SECTIONS.values() for name in names]
    assert sorted(shown) == sorted(path.name for path in PICTURES.iterdir())


@pytest.mark.heavy
def test_the_pictures_are_drawn_from_the_code_of_the_page(tmp_path):
    pytest.importorskip("matplotlib")
    run = subprocess.run(
        [sys.executable, ROOT / "docs" / "pictures.py", tmp_path],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    assert {path.name for path in tmp_path.iterdir()} == {path.name for path in PICTURES.iterdir()}
