"""Methods of builtin classes: of lists and dicts, of arrays and numbers, of text that is known.

Calls that change arrays, as the stores that they mean.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

import gast
import numpy as np

from autodiff.core import MARK, WHOLE, Apply, NotYet, Value, constant
from autodiff.dataflow.carrying import carries, is_read
from autodiff.dataflow.ordered import check
from autodiff.kinds.kind import Array, Drawing, Scalar, Unknown, is_text
from autodiff.lower.entries import boxes, outer
from autodiff.lower.entries.boxes import called
from autodiff.lower.entries.entry import Box, Entries, Entry, Keywords, Outer, Pack
from autodiff.lower.entries.growing import grows, is_grown
from autodiff.lower.entries.windows import window_from
from autodiff.lower.expression.application import Arguments, applied
from autodiff.lower.expression.expressions import Expressions
from autodiff.lower.expression.list_methods import of_list
from autodiff.lower.expression.texts import of_text
from autodiff.lower.flow import opaque
from autodiff.lower.functions import random_numbers
from autodiff.lower.functions.axes import axes
from autodiff.lower.functions.custom_calls import ruled, whole
from autodiff.lower.functions.inlining import inlined
from autodiff.lower.functions.looked_at import is_computed, looked_at
from autodiff.lower.recipes import elements
from autodiff.lower.statement.given_out import stored
from autodiff.lower.statement.storing import Storing
from autodiff.primitives import (
    REFORMING,
    may_repeat,
    primitive_of,
)
from autodiff.primitives.containing import READING
from autodiff.primitives.errors import is_unconverted
from autodiff.primitives.meanings import MEANINGS, each_at, rank, truth
from autodiff.primitives.opaque import CONVERTING
from autodiff.primitives.untraced import no_rule
from autodiff.rules import methods, registry
from autodiff.rules.home import hashable
from autodiff.runtime import number_or_array, orderless
from autodiff.syntax.names import name


def of_primitive(expressions: Expressions, target: Any, path: str, arguments: Arguments) -> Entry:
    """A call of a function that is applied as one step."""
    own = ruled(expressions, target, arguments)

    def apply(given: Arguments) -> Entry:
        if own is None:
            objects = looked_at(expressions, target, given)
            found = applied(expressions, target, path, given)
            if isinstance(found, Value) and isinstance(found.kind, Unknown) and hashable(target):
                found.kind = CONVERTING.get(target, found.kind)
            if objects and not (isinstance(found, Value) and is_computed(found.kind)):
                raise NotYet("an object of outside as a value")
            return found
        given.positional = [whole(expressions, entry) for entry in given.positional]
        given.named = [(key, whole(expressions, entry)) for key, entry in given.named]
        found = applied(expressions, target, path, given, kind=own.kind, own=own.primitive)
        made = found.op if isinstance(found, Value) else None
        if own.checked and isinstance(made, Apply):
            check = name(expressions.unit.references.use("number_or_array", number_or_array))
            made.form = gast.Call(check, [made.form], [])
        return found

    found = filling(expressions, target, arguments, apply)
    if expressions.unit.leaving and isinstance(found, Value) and carries(found.kind):
        given = [*arguments.positional, *(entry for _, entry in arguments.named)]
        derived = any(opaque.is_derived(expressions.unit, each) for each in given)
        if derived and not has_derivative(target, len(given)):
            raise no_rule(target, primitive_of(target).name)
        if found.op is not None and is_read(found.op):
            if any(opaque.is_told(expressions.unit, each) for each in found.op.operands):
                raise NotYet("a number that is read from text")
    return found


def has_derivative(target: Any, count: int) -> bool:
    """Whether something is known of the derivative of a function, if only that there is none."""
    ruled = registry.rule_for(target, operands=count) is not None
    return ruled or registry.is_nondifferentiable(target)


def filling(
    expressions: Expressions,
    target: Any,
    arguments: Arguments,
    apply: Callable[[Arguments], Entry],
    receiver: int = 0,
) -> Entry:
    """A call that may be told where to put what it gives."""
    if isinstance(expressions, Storing):
        found = stored(expressions, target, arguments, apply, receiver)
        if found is not None:
            return found
    return apply(arguments)


def of_descriptor(expressions: Expressions, function: Any, arguments: Arguments) -> Entry | None:
    """`list.append(xs, x)`: a method of a builtin class, called with its receiver."""
    owner = getattr(function, "__objclass__", None)
    if owner not in (list, dict, tuple, np.ndarray) or not arguments.positional:
        return None
    receiver = arguments.positional[0]
    own = isinstance(receiver, Box) and issubclass(receiver.cls, owner)
    array = isinstance(receiver, Value) and isinstance(receiver.kind, Array)
    if not own and not (array and owner is np.ndarray):
        return None
    del arguments.positional[0]
    return of_method(expressions, receiver, function.__name__, arguments)


def of_method(expressions: Expressions, receiver: Entry, name: str, arguments: Arguments) -> Entry:
    """A method of a container, a text, an array or a number."""
    if is_grown(receiver, name):
        return grows(expressions, receiver, name, arguments)
    if isinstance(receiver, Outer) and not opaque.is_read(expressions, receiver):
        own = opaque.attribute(expressions, receiver, name)
        return opaque.called(expressions, own, arguments.positional, arguments.named)
    if isinstance(receiver, Outer):
        path, receiver = receiver.path.lstrip(MARK), outer.read_now(expressions, receiver)
        if name not in READING:
            raise NotYet.saying(
                f"method {name} of a container of outside",
                f"the method `{name}` changes `{path}`, which is outside of the function",
                "a derivative follows changes of what the function is given, or makes, alone",
                f"pass `{path}` as an argument, or return what is new",
            )
    if isinstance(receiver, Pack) and name in READING:
        receiver = boxes.boxed(expressions.unit, list, dict(enumerate(receiver.items)))
    if isinstance(receiver, Box):
        return of_list(expressions, receiver, name, arguments)
    if not isinstance(receiver, Value):
        raise NotYet("a method of a tuple or a function")
    if isinstance(receiver.kind, Drawing) and isinstance(expressions, Storing):
        return random_numbers.drawn(expressions, receiver, name, arguments)
    if is_text(receiver.kind):
        return of_text(expressions, receiver, name, arguments)
    return method_called(expressions, receiver, name, arguments)


def method_called(
    expressions: Expressions, receiver: Value, attribute: str, arguments: Arguments
) -> Entry:
    """A method of an array or a number."""
    own = getattr(np.ndarray, attribute, None)
    if attribute == "tolist" and not expressions.trusts and isinstance(receiver.kind, Array):
        return boxes.called(expressions, elements.numbers_of, receiver)
    if attribute == "item" and isinstance(receiver.kind, Scalar) and not arguments.positional:
        cls = {"bool": bool, "int": int, "float": float, "complex": complex}[receiver.kind.type]
        path = expressions.unit.references.use(cls.__name__, cls)
        return of_primitive(expressions, cls, path, Arguments.of([receiver]))
    if isinstance(expressions, Storing) and isinstance(receiver.kind, Array):
        given = [receiver, *arguments.positional]
        changed = meant(expressions, own, given, arguments.named)
        if changed is not None:
            return changed
    if attribute == "view" and not (arguments.positional or arguments.named):
        return expressions.builder.view(receiver, WHOLE, [])
    method = methods.method(attribute)
    if method is None:
        if attribute in REFORMING:
            raise NotYet(f"method {attribute} of an array")
        if (receiver.is_number or receiver.is_array) and opaque.is_derived(
            expressions.unit, receiver
        ):  # what it gives may say all of it: a ratio, bytes
            raise NotYet(f"method {attribute} of what carries a derivative")
        own = opaque.attribute(expressions, receiver, attribute)
        return opaque.called(expressions, own, arguments.positional, arguments.named)

    def apply(given: Arguments) -> Entry:
        return applied(expressions, method.function, "", given, receiver, attribute, method)

    return filling(expressions, method.function, arguments, apply, 1)


def meant(
    expressions: Storing, function: Any, positional: Entries, named: Keywords
) -> Entry | None:
    """What a call gives of which the meaning is known in stores; None for others."""
    if function is rank:
        return constant(axes(positional[0]))
    if function is truth:
        return expressions.mask(positional[0], converts=True)
    if function is orderless:
        target, source = map(expressions.as_value, positional)
        if isinstance(source.kind, Array):
            expressions.builder.add(check(expressions.unit.references, target, source))
        return constant(None)
    owner = getattr(function, "__self__", None)
    if isinstance(owner, np.ufunc) and function.__name__ == "at":
        return added_at(expressions, owner, positional)
    meaning = MEANINGS.get(function) if hashable(function) else None
    if not isinstance(meaning, FunctionType):
        return None
    values = [each for each in positional if isinstance(each, Value)]
    if len(values) > 1:
        places = [0] * (len(positional) - 2)
        if is_unconverted(lambda a, b: function(a, *places, b), values[0].kind, values[-1]):
            raise NotYet("a store that NumPy does not convert")
    return inlined(expressions, meaning, positional, named)


def added_at(expressions: Storing, ufunc: np.ufunc, given: Entries) -> Entry | None:
    """`np.add.at(a, index, value)`: places may occur several times, and each counts; None for what
    is written out.
    """
    operator = _OPERATORS.get(ufunc)
    if len(given) != 3:
        return None
    base, value = expressions.as_value(given[0]), expressions.stored_value(given[2])
    expressions.check_memory(base)
    expressions.check_stored(value, base, lambda a, b: ufunc.at(a, [0], b))
    window, index = window_from(expressions, given[1])
    repeats = may_repeat(index, window)
    if operator is None or repeats and not isinstance(operator, (gast.Add, gast.Sub)):
        masks = any(getattr(value.kind, "dtype", None) == "bool" for value in index)
        if window.several or masks:
            return None
        ranks = [axes(entry) for entry in given]
        if ranks[1:] not in ([1, 0], [1, 1]) or ranks[2] and ranks[0] != 1:
            return None
        return called(expressions, each_at, constant(ufunc), *given)
    if expressions.builder.is_basic(window, index) is None:
        raise NotYet("an index of unknown kind")
    if isinstance(operator, (gast.Add, gast.Sub)):
        sign = "+" if isinstance(operator, gast.Add) else "-"
        expressions.builder.accumulate(base, value, window, index, sign, scattered=repeats)
    else:
        expressions.update((base, window, index), operator, value)
    return constant(None)


_OPERATORS: dict[np.ufunc, gast.operator] = {
    np.add: gast.Add(),
    np.subtract: gast.Sub(),
    np.multiply: gast.Mult(),
    np.divide: gast.Div(),
    np.power: gast.Pow(),
}
