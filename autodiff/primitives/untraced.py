"""What is said of an operation through which no derivative is known to flow."""

from __future__ import annotations

from typing import Any

from autodiff.core import Apply, NotYet
from autodiff.errors import MissingRuleError, NonDifferentiableError, UnsupportedSyntaxError
from autodiff.rules import registry
from autodiff.rules.home import module_of, public_name
from autodiff.rules.template import Rule
from autodiff.syntax.expressions import expression

_LOST = "an argument of this call carries a derivative"


def no_rule(function: Any, name: str, node: Any = None, why: str = "") -> NotYet:
    """A function has no rule, and none can be made of its source. name: of the primitive. node: the
    call, as the user wrote it.
    """
    reason = f"no rule for {name}"
    if not callable(function) or module_of(function).startswith("autodiff."):
        return NotYet(reason)  # of ours, in a derivative that is differentiated
    title = public_name(function)
    by = getattr(node, "func", None)
    if by is not None and not all(map(str.isidentifier, title.split("."))):
        title = expression(by)
    why = why or MissingRuleError.of(function).why
    words = MissingRuleError.of(function, title=title, why=f"{_LOST}; {why}")
    return NotYet(reason, words)


def misfit(op: Apply) -> NotYet:
    """The arguments of a call are not those that the rule knows."""
    function = op.primitive.function
    rule = registry.rule_for(function, operands=len(op.application.arguments))
    own, known = public_name(function), [p.name for p in rule.parameters] if rule else []
    extra = [key for key, _ in op.application.keywords if key not in known]
    what = f"the arguments of this call do not fit the rule of {own}"
    cure = "pass the arguments one by one, as the rule lists them"
    if extra:
        what = f"the rule of {own} does not handle the keyword `{extra[0]}`"
        cure = f"leave out `{extra[0]}=`, or write a rule that has it among its parameters"
    why = f"it knows ({', '.join(known)}); a keyword that is ignored would give a wrong derivative"
    return NotYet("a call that does not fit its rule", MissingRuleError(what, why=why, cure=cure))


def no_slope(op: Apply, rule: Rule, parameter: str) -> NotYet:
    """A derivative flows into an argument of which the rule says nothing."""
    own = public_name(op.primitive.function)
    words = NonDifferentiableError(
        f"{own} has no derivative in its argument `{parameter}`, which carries one here",
        why=f"the rule ({rule.file}:{rule.line}) has no line `d[{parameter}] = ...`",
        cure="wrap the argument in stop_gradient if its derivative is to be ignored",
    )
    return NotYet("an operand without a derivative", words)


def of_complex(op: Apply) -> NotYet:
    """A distribution of what may be complex."""
    words = NonDifferentiableError(
        f"{public_name(op.primitive.function)} of a number that may be complex",
        why="the distributions of scipy.stats are of real numbers",
        cure="pass the real part, np.real(x)",
    )
    return NotYet("a distribution of what may be complex", words)


def lost(op: Any, given: bool = True) -> NotYet:
    """A call of which nothing is known is given what carries a derivative, or gives what holds it
    afterwards.
    """
    reason = "a call of which nothing is known, of what carries a derivative"
    instead, target = getattr(op, "instead", None), getattr(op, "target", None)
    if instead is not None and instead.words is not None:
        return NotYet(reason, instead.words)
    node = getattr(op.at, "node", None)
    shown = getattr(op.origin, "text", "this") if node is None else expression(node)
    by = getattr(node, "func", None)
    if isinstance(target, type):
        words = UnsupportedSyntaxError(
            f"objects of `{target.__name__}` are not followed, and this one gets what carries a "
            "derivative",
            why="its class is not one of Python that is read"
            if instead is None
            else f"what it does is not followed: {instead.reason}",
            cure="keep the numbers in a list, a dict or an object of a plain class",
        )
        return NotYet(reason, words)
    if target is not None and given:
        why = "" if instead is None else f"its source is not followed: {instead.reason}"
        return NotYet(reason, no_rule(target, "", node, why).words)
    more = "" if instead is None else f" ({instead.reason})"
    if by is not None and given:
        words = UnsupportedSyntaxError(
            f"autodiff does not know which function `{expression(by)}` is, or what it does",
            why=f"{_LOST}, and what is called is only known at run time{more}",
            cure="call a function that is a global, a closure variable or an argument, and give it "
            "a derivative with @custom if it is not Python",
        )
        return NotYet(reason, words)
    words = UnsupportedSyntaxError(
        f"a derivative would be lost in `{shown}`",
        why=f"what it gives, or changes, is only known at run time{more}",
        cure="compute it with functions of NumPy, or in a function with a derivative by @custom",
    )
    return NotYet(reason, words)


def not_followed(op: Apply) -> NotYet:
    """What a call gives may be the memory of what it is given, and is changed."""
    own, made = public_name(op.primitive.function), op.result.hint
    named = f"`{made}`" if op.result.named else "its result"
    words = UnsupportedSyntaxError(
        f"{named} is changed in place, and it is not known whose memory {named} shares",
        why=f"`{own}` may give one of its arguments, which would change, too",
        cure="change a copy of it (`.copy()`)",
    )
    return NotYet(f"memory that changes is given to {op.primitive.name}", words)
