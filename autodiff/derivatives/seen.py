"""How a derivative is looked at: as text that explains it, as a page, as a graph."""

from __future__ import annotations

from html import escape
from os import PathLike
from pathlib import Path
from typing import Any

from autodiff.errors import AutodiffError
from autodiff.frames import hidden
from autodiff.pipeline.compiled import Compiled


class Seen:
    """What shows the version of a derivative that was compiled last."""

    _last: Compiled | None

    def _written(self, what: str) -> Compiled:
        raise NotImplementedError

    @hidden
    def explain(self) -> str:
        """What the last version compiled keeps on its tape, and why: for each value the lines of
        the reverse sweep that read it, and the statements of yours that overwrite it. Empty where
        nothing is kept; functions that stay functions have tapes of their own, of which it says
        nothing.
        """
        from autodiff.inspection.recorded import explained, recorded  # noqa: PLC0415 (rarely asked)

        stages: Any = self._written("explain").stages
        return explained(recorded(stages.written()))

    @hidden
    def view(self, path: str | PathLike[str]) -> None:
        """Write a page that shows the function and its derivative beside each other, in one file.

        Lines that belong together are linked; it shows the kinds of all values, what is pushed on
        the tape and why, and the text after each pass. Colours come by pygments, where that is
        installed.
        """
        from autodiff.inspection.view import page  # noqa: PLC0415 (rarely asked)

        Path(path).write_text(page(self, self._written("view")), encoding="utf-8")

    def _repr_html_(self) -> str:
        """The same in a notebook, inside of a frame; what is to be done where there is no text."""
        from autodiff.inspection.view import framed  # noqa: PLC0415 (rarely asked)

        try:
            return framed(self, self._written("view"))
        except AutodiffError as error:
            first = "" if self._last is not None or "call it once" in error.cure else "call it once"
            lines = escape("\n".join(filter(None, (repr(self), first, str(error)))))
            return f"<pre>{lines}</pre>"

    def __str__(self) -> str:
        """The generated text of the last call, which IPython shows at `d??`."""
        last = self._last
        return repr(self) if last is None else f"{self!r}\n\n{last.source}"

    @hidden
    def graph(self, svg: str | PathLike[str] | None = None) -> Any:
        """The data flow of the last version compiled, as a `networkx.DiGraph`.

        A node is a statement of the generated function: its `operation`, the `names` it defines,
        its `code`, the `sweep` it belongs to, and `line`, `file` and `source` of the statement that
        it comes from. Edges go to what uses these names: from an adjoint to what consumes it. With
        `svg` the graph is drawn in a file of that name, by Graphviz.

        Raises AutodiffError where networkx is not installed, or Graphviz, to draw.
        """
        from autodiff.inspection.graph import drawn  # noqa: PLC0415 (most programs draw nothing)

        stages: Any = self._written("draw").stages
        return drawn(stages.last, svg)
