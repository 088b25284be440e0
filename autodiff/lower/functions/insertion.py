"""Blocks of the user's that work on an adjoint: `with insert_grad_of(x) as x_bar`.

x = inserted(x, insert_x_bar, i)        another value from here on, the same to all but the reverse
                                        sweep: that hands its adjoint to the function
"""

from __future__ import annotations

from types import FunctionType
from weakref import WeakKeyDictionary

import gast

from autodiff.core import NotYet, Value
from autodiff.loader import load
from autodiff.lower.entries.entry import Closure, Entry, Pack, Stale, Unbound, leaves
from autodiff.lower.expression.expressions import Expressions
from autodiff.lower.flow.frame import Frame
from autodiff.lower.flow.lifted import results_of
from autodiff.lower.functions.custom_calls import whole
from autodiff.primitives import Application, hole
from autodiff.primitives.inserted import insertion_of
from autodiff.syntax.definition import definition
from autodiff.syntax.emit import emit

BLOCKS: WeakKeyDictionary[FunctionType, gast.FunctionDef] = WeakKeyDictionary()
"""What such blocks are as functions, and their definitions, which are part of the text."""


def insertion(expressions: Expressions, node: gast.Call) -> Entry:
    """The value under its name from here on."""
    source, title, *others = node.args
    closure = expressions.entry(title)
    if not isinstance(closure, Closure):
        raise NotYet("a block on an adjoint that is no function")
    entries = [expressions.entry(source)]
    if not isinstance(entries[0], (Value, Pack)):
        raise NotYet("the adjoint of an object or a list is asked for")
    entries += [whole(expressions, expressions.entry(each)) for each in others]
    value, *beside = [expressions.as_value(entry) for entry in entries]
    if value.is_constant:
        return entries[0]
    values = [value, *map(expressions.loaded, beside)]
    holder, word = expressions.frame.resolve(source.id)
    assert holder is not None
    own = insertion_of(block(closure), is_shared(holder, word, value))
    holes = tuple(map(hole, range(len(values))))
    made = expressions.builder.apply(own, Application(holes), hole(0), values, value.kind)
    made.hint = value.hint
    return results_of(expressions.unit, expressions.builder, made)


def is_shared(holder: Frame, word: str, value: Value) -> bool:
    """Whether memory is held by other variables than one, or by a container."""
    region = value.region
    if region is None:
        return False
    others = [
        entry
        for frame in holder.unit.frames
        for own, entry in frame.names.items()
        if not (frame is holder and own == word) and not isinstance(entry, (Stale, Unbound))
    ]
    try:
        held = (part.region for entry in others for part in leaves(entry, lambda box: True))
        return region.held or any(each is region for each in held)
    except NotYet:  # one of several things
        return True


def block(closure: Closure) -> FunctionType:
    """The function that a block is."""
    node = closure.node
    tree = definition(node.name, node.args, node.body)
    emitted = emit(tree)
    made = load(emitted.text, node.name, closure.frame.space(), {}, emitted.origins)
    BLOCKS[made] = tree
    return made
