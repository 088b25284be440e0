"""What is said where an operation cannot be differentiated."""

from __future__ import annotations

import inspect
import types
from typing import TYPE_CHECKING, Any, NoReturn

import gast

from autodiff.analysis.contents import is_of_slots
from autodiff.analysis.kind import (
    UNKNOWN,
    Array,
    Kind,
    Mapping,
    Record,
    Scalar,
    Sequence,
    Static,
    Unknown,
    is_complex,
)
from autodiff.analysis.known import Kinds
from autodiff.analysis.operation import Operation
from autodiff.errors import MissingRuleError, NonDifferentiableError, UnsupportedSyntaxError
from autodiff.frontend.equivalents import ITERATORS
from autodiff.rules import registry
from autodiff.rules.home import hashable, module_of, public_name
from autodiff.rules.ruled import missing_side
from autodiff.rules.template import Rule
from autodiff.syntax.names import reads, writes
from autodiff.syntax.origin import origin_of, place
from autodiff.syntax.walk import COMPOUND, of_class, statements

if TYPE_CHECKING:
    from autodiff.reverse.reverse import Reverse


def check_operands(
    reverse: Reverse, statement: gast.stmt, operation: Operation, rule: Rule, bound: dict[str, Any]
) -> None:
    """An active operand in a parameter that the rule does not differentiate is an error."""
    if rule.custom and not rule.adjoints:
        raise no_side(statement, operation, "vjp")
    check_flat(reverse, statement, operation, bound)
    method = operation.function
    if isinstance(method, types.MethodType) and registry.is_receiver(method.__self__):
        check_real(reverse, statement, operation, bound)
    for parameter, operand in bound.items():
        if parameter in rule.adjoints:
            continue
        for active in sorted(active_names(reverse, operand)):
            raise NonDifferentiableError(
                f"`{active}` carries a derivative, but {title(operation)} has no derivative in "
                f"its argument `{parameter}`",
                origin_of(statement),
                why=f"the rule ({rule.file}:{rule.line}) has no line `d[{parameter}] = ...`",
                cure="wrap the argument in stop_gradient if its derivative is to be ignored",
            )


def check_flat(
    reverse: Reverse, statement: gast.stmt, operation: Operation, bound: dict[str, Any]
) -> None:
    """The rules of Python's own functions are of numbers and arrays, or one flat sequence of them.

    `max(rows)` and `max(a, b)` of lists is one of these lists, and `sum(rows, [])` holds their
    items. `sorted(m)` is a list of the rows of a matrix, and `max(m)` one of them.
    """
    if module_of(operation.function) not in ("builtins", "math"):
        return
    for operand in bound.values():
        several = isinstance(operand, (list, tuple))
        for node in operand if several else [operand]:
            kind = reverse.kinds.known(node)
            flat = not operation.rule.elementwise and not (several and len(operand) > 1)
            if _holds(kind) if not flat else any(map(_holds, _items(kind))):
                raise UnsupportedSyntaxError(
                    f"`{title(operation)}` of lists carries a derivative",
                    place(getattr(statement, "value", statement), origin_of(statement)),
                    why="it is differentiated for numbers and arrays, or one flat list of them",
                    cure="find the list by its number, and use `rows[k]`; join lists with +",
                )
            if operation.function in (max, min, sorted) and flat and _is_of_arrays(kind):
                raise UnsupportedSyntaxError(
                    f"`{title(operation)}` of arrays carries a derivative",
                    place(getattr(statement, "value", statement), origin_of(statement)),
                    why="it is differentiated for a vector, or a list of numbers",
                    cure="use the function of NumPy, which has an `axis`",
                )


def _holds(kind: Kind) -> bool:
    return isinstance(kind, (Mapping, Record, Sequence))


def _is_of_arrays(kind: Kind) -> bool:
    """Whether the items of a value are arrays, not numbers."""
    if isinstance(kind, Array):
        return len(kind.shape) > 1
    return any(isinstance(item, Array) and item.shape for item in _items(kind))


def _items(kind: Kind) -> tuple[Kind, ...]:
    if isinstance(kind, Record) and kind.cls in (list, tuple):
        return kind.items
    return (kind.item,) if isinstance(kind, Sequence) else ()


def refuse_store(reverse: Reverse, statement: gast.stmt, target: gast.expr, base: str) -> NoReturn:
    """Refuse an update in place through which a derivative flows, of what is no array for sure."""
    what = f"`{base}` is updated in place, and a derivative flows through it"
    why = "autodiff follows in-place updates of arrays, lists and dicts of its own making only"
    cure = "build a new value (a list of the parts, a dict display) instead"
    if isinstance(target, gast.Name):
        what = f"`{base}` carries a derivative, and whether this changes it in place is unknown"
        why = "its kind is only known at run time"
        cure = "write `x = x + e`, or annotate the argument that it comes from"
    elif isinstance(reverse.kinds.names.get(base, UNKNOWN), Unknown):
        why = "what it is, is only known at run time"
        if any(map(_is_creation, _made(reverse, base))):
            cure = "write its shape as a tuple, as in `np.zeros((n,))`"
    raise UnsupportedSyntaxError(what, origin_of(statement), why=why, cure=cure)


def _made(reverse: Reverse, own: str) -> list[gast.expr]:
    """What a name is assigned."""
    found = (s for s in statements(reverse.definitions.body) if isinstance(s, gast.Assign))
    return [s.value for s in found if own in writes(s.targets)]


def _is_creation(value: gast.expr) -> bool:
    """Whether an array of a given size is made, or so it seems."""
    func = getattr(value, "func", None)
    return isinstance(func, gast.Attribute) and func.attr in ("zeros", "ones", "empty", "full")


def check_giving(kinds: Kinds, statement: gast.Expr, into: gast.expr) -> None:
    """`give(s, g)`, in a gradient that is differentiated again, adds to slots, not to arrays.

    Which arrays those would be that a whole shadow holds is not known while compiling.
    """
    if not is_of_slots(kinds.known(into)):
        raise UnsupportedSyntaxError(
            "a list or dict of arrays that change in place is used as a whole",
            origin_of(statement),
            why="a gradient of such a function is not differentiated again",
            cure="take the items one by one, or put new arrays in place of those that change",
        )


def check_real(
    reverse: Reverse, statement: gast.stmt, operation: Operation, bound: dict[str, Any]
) -> None:
    """Distributions are of real numbers; SciPy computes something for complex ones, too."""
    for operand in bound.values():
        if not isinstance(operand, gast.AST):
            continue
        kind = reverse.kinds.known(operand)
        if is_complex(kind) or isinstance(kind, Unknown) and reverse.bars.complex:
            raise NonDifferentiableError(
                f"{title(operation)} of a number that may be complex",
                place(statement.value, origin_of(statement)),
                why="the distributions of scipy.stats are of real numbers",
                cure="pass the real part, np.real(x)",
            )


def active_names(reverse: Reverse, operand: Any) -> set[str]:
    if isinstance(operand, (tuple, list)):
        return set().union(*(active_names(reverse, o) for o in operand)) if operand else set()
    if isinstance(operand, gast.Name):
        return {operand.id} & reverse.active
    return set()


def title(operation: Operation) -> str:
    """How a message calls a function: `numpy.linalg.eig`."""
    return public_name(operation.function)


_ONE_BY_ONE = ITERATORS | {next, iter}


def missing_rule(
    reverse: Reverse, statement: gast.stmt, operation: Operation
) -> MissingRuleError | UnsupportedSyntaxError:
    function = operation.function
    if hashable(function) and function in _ONE_BY_ONE:
        return UnsupportedSyntaxError(
            "an iterator or generator through which a derivative flows, and whose items are not "
            "all asked for at one place",
            place(statement.value, origin_of(statement)),
            why="it gives each item once, computed when it is asked for; autodiff follows one that "
            "a single loop or call reads to its end, while what it reads stays as it is",
            cure="make a list of it (`items = list(...)`, `[... for ...]`)",
        )
    try:
        parameters = [
            p.name
            for p in inspect.signature(function).parameters.values()
            if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
        ]
    except (TypeError, ValueError):
        parameters = []
    parameters = parameters or [f"x{k}" for k in range(1, len(operation.arguments) + 1)] or ["x"]
    own = getattr(function, "__name__", "function")
    head = f"@adjoint({title(operation)})\ndef {own}(y, {', '.join(parameters)}):"
    body = "".join(f"\n    d[{p}] = d[y] * ..." for p in parameters[:1])
    return MissingRuleError(
        f"no derivative is known for {title(operation)}",
        place(statement.value, origin_of(statement)),
        why="an argument of this call carries a derivative",
        cure=f"write its rule:\n\nfrom autodiff import adjoint, d\n\n{head}{body}\n",
    )


def no_side(
    statement: gast.stmt, operation: Operation, side: str, cause: Exception | None = None
) -> MissingRuleError:
    """The error for a custom derivative in the direction that was not given."""
    origin = place(statement.value, origin_of(statement))
    return missing_side(operation.rule, title(operation), origin, side, cause)


def misfit(statement: gast.stmt, operation: Operation) -> MissingRuleError:
    rule = operation.rule
    known = {parameter.name for parameter in rule.parameters}
    extra = [key for key, _ in operation.keywords if key not in known]
    if extra and extra[0] is None:
        what = f"the rule of {title(operation)} needs to see the names of keywords given by `**`"
        cure = "write the keywords out"
    elif extra:
        what = f"the rule of {title(operation)} does not handle the keyword `{extra[0]}`"
        cure = f"leave out `{extra[0]}=`, or write a rule that has it among its parameters"
    else:
        what = f"the arguments of this call do not fit the rule of {title(operation)}"
        cure = "pass the arguments one by one, as the rule lists them"
    parameters = ", ".join(parameter.name for parameter in rule.parameters)
    return MissingRuleError(
        what,
        place(statement.value, origin_of(statement)),
        why=f"it knows ({parameters}); a keyword that is ignored would give a wrong derivative",
        cure=cure,
    )


def missing(reverse: Reverse, statement: gast.Assign, node: gast.expr) -> Exception:
    """The error for an expression through which no derivative can be traced."""
    where = place(node, origin_of(statement))
    if isinstance(node, gast.Call):
        callee = reverse.kinds.known(node.func)
        shown = gast_text(node.func)
        if isinstance(callee, Static) and callable(callee.value):
            return missing_rule(reverse, statement, Operation(callee.value, tuple(node.args)))
        return UnsupportedSyntaxError(
            f"autodiff does not know which function `{shown}` is",
            where,
            why="an argument of this call carries a derivative, and the function is only known at "
            "run time",
            cure="call a function that is a global, a closure variable or an argument, or annotate "
            "the value it is a method of",
        )
    form = _FORMS.get(type(node), type(node).__name__)
    return UnsupportedSyntaxError(
        f"a derivative flows through this {form}, which autodiff cannot trace",
        where,
        why="it is not one of the expressions that autodiff differentiates",
        cure="write it as assignments, loops and calls, or wrap it in stop_gradient",
    )


def unknown(reverse: Reverse, statement: gast.stmt) -> Exception | None:
    """The error for the call that made what a statement computes with, if nothing is known of that.

    Without its result's kind every operator is a call, which may do anything to its operands.
    """
    if statement.__class__ in COMPOUND:  # the one inside that was refused has been looked at
        return None
    made: dict[str, list[gast.Assign]] = {}
    for node in of_class(reverse.definitions.body, gast.Assign):
        for own in writes(node.targets):
            made.setdefault(own, []).append(node)
    todo, seen = [statement], set[str]()
    while todo:
        node = todo.pop(0)  # nearest first
        sharing = [reverse.aliases.sharing(own) for own in reads(node) | writes(node)]
        for own in sorted(set().union(*sharing) & reverse.active - seen):
            seen.add(own)
            if isinstance(reverse.kinds.names.get(own), (Array, Scalar)):
                continue
            for node in made.get(own, []):
                if isinstance(node.value, gast.Call) and _is_missing(reverse, node.value):
                    return missing(reverse, node, node.value)
                todo.append(node)
    return None


def _is_missing(reverse: Reverse, call: gast.Call) -> bool:
    """Whether nothing is known of a call through which a derivative flows."""
    if reads(call.func) & reverse.active or not reads(call) & reverse.active:
        return False  # a method of what carries it
    operation = reverse.kinds.operation(call)
    if operation is None:
        return True
    function = operation.function
    if isinstance(function, (types.FunctionType, type)):  # inlined, or recursive; an object
        return False
    return operation.rule is None and not registry.is_nondifferentiable(function)


_FORMS: dict[type, str] = {
    gast.GeneratorExp: "generator",
    gast.Attribute: "attribute",
    gast.Subscript: "item",
    gast.Lambda: "lambda",
    gast.SetComp: "set comprehension",
    gast.DictComp: "dict comprehension",
    gast.ListComp: "list comprehension",
    gast.Set: "set",
    gast.Starred: "starred expression",
    gast.JoinedStr: "f-string",
}


def gast_text(node: gast.expr) -> str:
    """Short text of a callee: `self.f`."""
    if isinstance(node, gast.Name):
        return str(node.id)
    if isinstance(node, gast.Attribute):
        return f"{gast_text(node.value)}.{node.attr}"
    return "this"


def check_held(reverse: Reverse, statement: gast.Assign, target: str) -> None:
    """What a copy holds has adjoints of its own: it must not change in place behind its back.

    Only generated code copies whole lists and dicts, so this is about second derivatives.
    """
    kind = reverse.kinds.known(statement.targets[0])
    in_place = target in reverse.bars.mirrors and bool(reverse.mirrored.arrays)
    held: tuple[Kind, ...] = ()
    if isinstance(kind, (Sequence, Mapping)):
        held = (kind.item,)
    elif isinstance(kind, Record) and in_place:
        held = kind.items
    changes = in_place or reverse.aliases.is_changed(target)
    if changes and not all(isinstance(part, Scalar) for part in held):
        raise UnsupportedSyntaxError(
            f"`{target}` is a copy whose arrays are changed in place",
            origin_of(statement),
            why="it is made by generated code that is differentiated again; the adjoints of what a "
            "list or dict holds are followed in code of the user's only",
            cure="change copies of the arrays, or take jvp of the gradient",
        )
