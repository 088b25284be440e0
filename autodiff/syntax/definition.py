"""Definitions of functions, made from names and statements."""

from __future__ import annotations

from collections.abc import Iterable

import gast

from autodiff.syntax.names import name


def definition(
    own: str, given: Iterable[str] | gast.arguments, body: list[gast.stmt]
) -> gast.FunctionDef:
    """`def own(*given): body`; `given` are the names of the parameters, or the parameters."""
    if not isinstance(given, gast.arguments):
        given = gast.arguments(
            args=[name(n, gast.Param()) for n in given],
            posonlyargs=[],
            vararg=None,
            kwonlyargs=[],
            kw_defaults=[],
            kwarg=None,
            defaults=[],
        )
    return gast.FunctionDef(
        name=own,
        args=given,
        body=body,
        decorator_list=[],
        returns=None,
        type_comment=None,
        type_params=[],
    )
