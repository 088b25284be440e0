"""Doctests in docstrings as blocks of code, for the reference (`mkdocs.yml`)."""

from __future__ import annotations

import re
from typing import Any

import griffe

_DOCTEST = re.compile(r"^>>> .*(?:\n.+)*", re.MULTILINE)


class Doctests(griffe.Extension):
    """Puts each doctest into a fence: Markdown would take it for a quotation."""

    def on_object(self, *, obj: Any, **_: Any) -> None:
        if obj.docstring is not None:
            obj.docstring.value = _DOCTEST.sub(
                lambda found: f"\n```pycon\n{found[0]}\n```", obj.docstring.value
            )
