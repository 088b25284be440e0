"""A graph of statements as a picture: forward sweep down the left side, reverse up the right."""

from __future__ import annotations

import re
from html import escape
from typing import Any

_WIDTH, _HEIGHT, _GAP, _MARGIN = 300, 26, 14, 20
_LETTER = 7.0
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_COLOURS = {"forward": "#dbe9f6", "reverse": "#fde3cf"}


def drawing(graph: Any) -> str:
    """The text of an SVG file.

    `graph` has the nodes and edges of `graph.py`. Each statement of the forward sweep has a row on
    the left, in the order in which they run; those of the reverse sweep run upwards on the
    right. A line number stands before a statement that comes from the user's. Edges within a sweep
    bend outwards; those from the forward to the reverse sweep are drawn across.
    """
    columns = {sweep: [k for k in graph if graph.nodes[k]["sweep"] == sweep] for sweep in _COLOURS}
    rows = max(map(len, columns.values()), default=0)
    labels = {k: _label(graph.nodes[k]) for k in graph}
    widest = max((_LETTER * len(text) + 16 for text in labels.values()), default=0.0)
    width = max(float(_WIDTH), widest)
    bend = 70.0
    left = _MARGIN + bend
    places: dict[Any, tuple[float, float]] = {}
    for row, node in enumerate(columns["forward"]):
        places[node] = left, _MARGIN + row * (_HEIGHT + _GAP)
    for row, node in enumerate(columns["reverse"]):
        places[node] = left + width + 120, _MARGIN + (rows - 1 - row) * (_HEIGHT + _GAP)
    across = left + width + 120 + width + bend + _MARGIN if columns["reverse"] else (
        left + width + _MARGIN
    )  # fmt: skip
    height = 2 * _MARGIN + rows * (_HEIGHT + _GAP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{across:.0f}" height="{height:.0f}" '
        'font-family="monospace" font-size="11.5">',
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="#555"/></marker></defs>',
    ]
    parts.extend(_edge(graph, a, b, places, width, bend) for a, b in graph.edges)
    for node, (x, y) in places.items():
        attributes = graph.nodes[node]
        hint = _text(str(attributes.get("source", attributes["code"])))
        parts.append(
            f'<g><title>{hint}</title><rect x="{x:.0f}" y="{y:.0f}" width="{width:.0f}" '
            f'height="{_HEIGHT}" rx="5" fill="{_COLOURS[attributes["sweep"]]}" stroke="#777"/>'
            f'<text x="{x + 8:.0f}" y="{y + 17:.0f}">{_text(labels[node])}</text></g>'
        )
    return "\n".join([*parts, "</svg>", ""])


def _label(attributes: dict[str, Any]) -> str:
    code = attributes["code"]
    code = code if len(code) <= 60 else f"{code[:57]}..."
    return f"{attributes['line']}: {code}" if "line" in attributes else code


def _text(text: str) -> str:
    """A text for XML, which has neither control characters, as Python has, nor half surrogates.

    >>> _text("len('\\a<')")
    'len(&#x27;\\\\x07&lt;&#x27;)'
    """
    shown = _NOT_IN_XML.sub(lambda found: found[0].encode("unicode_escape").decode(), text)
    return escape(shown)


def _edge(
    graph: Any, a: Any, b: Any, places: dict[Any, tuple[float, float]], width: float, bend: float
) -> str:
    (ax, ay), (bx, by) = places[a], places[b]
    ay, by = ay + _HEIGHT / 2, by + _HEIGHT / 2
    if ax == bx:  # the outer side of the column
        is_left = graph.nodes[a]["sweep"] == "forward"
        side = ax if is_left else ax + width
        far = min(abs(ay - by) / 3, bend) * (-1 if is_left else 1)
        curve = f"M{side:.0f} {ay:.0f} C{side + far:.0f} {ay:.0f} {side + far:.0f} {by:.0f} "
        curve += f"{side:.0f} {by:.0f}"
    else:
        start, end = (ax + width, bx) if ax < bx else (ax, bx + width)
        middle = (start + end) / 2
        curve = f"M{start:.0f} {ay:.0f} C{middle:.0f} {ay:.0f} {middle:.0f} {by:.0f} "
        curve += f"{end:.0f} {by:.0f}"
    name = _text(str(graph.edges[a, b]["name"]))
    return (
        f'<path d="{curve}" fill="none" stroke="#555" stroke-width="0.9" marker-end="url(#tip)">'
        f"<title>{name}</title></path>"
    )
