"""Windows: views of an array, written as an expression on its name (`u[1:-1]`, `a.T[0]`)."""

from __future__ import annotations

import gast


def root(window: gast.expr) -> str | None:
    """The name at the bottom of a window; None where there is none.

    >>> root(gast.parse("u[1:-1].T.reshape(-1)[0]").body[0].value)
    'u'
    """
    while (cls := window.__class__) is not gast.Name:
        if cls is gast.Subscript or cls is gast.Attribute:
            window = window.value
        elif cls is gast.Call and isinstance(window.func, gast.Attribute):
            window = window.func.value
        else:
            return None
    return str(window.id)
