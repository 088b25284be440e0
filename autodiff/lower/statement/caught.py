"""The error that was caught, for handlers that stand behind their `try`.

try:                              raised = 0
    y = f(x)                      try:
except Missing as error:              y = f(x)
    y = x * error.args[0]         except Missing as error:
except Other:                         caught = error
    raise                             raised = 1
                                  ...
                                  if raised == 1:
                                      y = x * caught.args[0]
                                  elif raised == 2:
                                      raise caught
"""

from __future__ import annotations

from typing import Any

import gast

from autodiff.core import NotYet
from autodiff.lower.entries.above import Frame
from autodiff.normalize.build import at, branch, constant, shallow
from autodiff.syntax.names import name, rename, writes
from autodiff.syntax.walk import children, map_children


def looked_at(frame: Frame, handler: Any) -> str:
    """The name of the error in a handler that reads it; empty if it does not."""
    if handler.name is None:
        return ""
    own = str(getattr(handler.name, "id", handler.name))
    return own if any(frame.reads(part)[own] for part in handler.body) else ""


def kept(frame: Frame, node: Any, flag: str) -> Any:
    """A `try` that keeps the error in a variable, if a handler looks at it or raises it again.
    flag: the variable that remembers which handler was reached.
    """
    asked = (looked_at(frame, own) or any(map(raises_again, own.body)) for own in node.handlers)
    if not any(asked):
        return node
    made, own = shallow(node), frame.temporary(flag.replace("raised", "caught"))
    made.handlers, made.error = [reading(handler, own) for handler in node.handlers], own
    return made


def error_of(node: Any) -> str:
    """The variable that keeps the error; empty if no handler asks for it behind the `try`."""
    return str(getattr(node, "error", ""))


def reading(handler: Any, own: str) -> Any:
    """A handler that reads the error from a variable."""
    made = shallow(handler)
    made.name = None
    if handler.name is not None:
        word = str(getattr(handler.name, "id", handler.name))
        if word in writes(handler.body):
            raise NotYet("a variable that holds an error, and then something else")
        made.body = [rename(part, {word: own}) for part in handler.body]
    made.body = [again(part, own) for part in made.body]
    return made


_SCOPES = (gast.ExceptHandler, gast.FunctionDef, gast.ClassDef, gast.expr)


def raises_again(node: Any) -> bool:
    """Whether a statement of a handler raises the error again."""
    if isinstance(node, _SCOPES):
        return False
    if isinstance(node, gast.Raise):
        return node.exc is None
    return any(map(raises_again, children(node)))


def again(node: Any, own: str) -> Any:
    """A statement of a handler in which `raise` names the error."""
    if not raises_again(node):
        return node
    if isinstance(node, gast.Raise):
        made = shallow(node)
        made.exc = name(own)
        return made
    return map_children(lambda child: again(child, own), node)


def chain(node: gast.Try, flag: str) -> list[gast.stmt]:
    """`if flag == 1: ... elif flag == 2: ... else: ...`."""
    origin = getattr(node, "origin", None)
    found = list(node.orelse)
    for number, handler in reversed(list(enumerate(node.handlers, 1))):
        found = [branch(equals(flag, number), handler.body, found, origin)]
    return found


def equals(flag: str, number: int) -> gast.expr:
    """`flag == number`."""
    return gast.Compare(left=name(flag), ops=[gast.Eq()], comparators=[constant(number)])


def finishing(node: Any, body: list[Any], final: list[Any]) -> list[gast.stmt]:
    """`try: ... finally: ...` as `try: ... except: ...; raise`, and what runs then once more."""
    again = gast.Raise(exc=None, cause=None)
    handler = gast.ExceptHandler(type=None, name=None, body=[*final, again])
    made = gast.Try(body=body, handlers=[handler], orelse=[], finalbody=[])
    return [at(made, getattr(node, "origin", None)), *final]
