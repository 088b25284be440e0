"""Expressions as text: no more parentheses than needed, spaced as a formatter would.

Operator symbols and precedences are astor's. The text is built from strings rather than by
astor's visitor, which notes precedences on the nodes, where they would outlive the printing.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable
from typing import Any

import gast

from autodiff.syntax.literals import literal, quoted
from autodiff.syntax.quiet import quiet

with warnings.catch_warnings():  # astor's table names node classes that Python is dropping
    warnings.simplefilter("ignore", DeprecationWarning)
    from astor.op_util import Precedence, precedence_data, symbol_data

_PRECEDENCE = {kind.__name__: value for kind, value in precedence_data.items() if kind}
_SYMBOL = {kind.__name__: value for kind, value in symbol_data.items() if kind}
_HIGHEST: int = Precedence.highest
_COMMA: int = Precedence.Comma
_LAMBDA: int = Precedence.Lambda
_COMPARE: int = Precedence.Eq
_POWER: int = Precedence.Pow
_POWER_RIGHT: int = Precedence.PowRHS
_ADD: int = Precedence.Add
_MINUS: int = Precedence.USub
_STARRED: int = Precedence.BitOr
_IN_COMPREHENSION: int = Precedence.comprehension
_TUPLE: int = Precedence.Tuple


def expression(node: gast.AST, around: int = 0) -> str:
    """The text of an expression that stands in an operator of precedence `around`.

    >>> import gast
    >>> expression(gast.parse("x[(1,2)]*(y**2)+(a)", mode="eval").body)
    'x[1, 2] * y**2 + a'
    """
    printer = _PRINTERS.get(node.__class__.__name__)
    if printer is not None:
        return printer(node, around)
    return unparsed(node)


def unparsed(node: gast.AST) -> str:
    """Python's own text of what is too rare to print here: patterns, type parameters ..."""
    with quiet():  # gast 0.6 makes nodes in a way that Python 3.13 warns about
        return ast.unparse(gast.gast_to_ast(node))


def parameters_of(node: gast.arguments) -> str:
    """A parameter list, without its parentheses."""
    positional = [*node.posonlyargs, *node.args]
    defaults = [None] * (len(positional) - len(node.defaults)) + node.defaults
    found = [_parameter(p, default) for p, default in zip(positional, defaults)]
    if node.posonlyargs:
        found.insert(len(node.posonlyargs), "/")
    if node.vararg:
        found.append("*" + _parameter(node.vararg, None))
    elif node.kwonlyargs:
        found.append("*")
    found.extend(_parameter(p, default) for p, default in zip(node.kwonlyargs, node.kw_defaults))
    if node.kwarg:
        found.append("**" + _parameter(node.kwarg, None))
    return ", ".join(found)


def arguments_of(positional: list[gast.expr], keywords: list[gast.keyword]) -> str:
    """The arguments of a call, without its parentheses."""
    found = [expression(argument, _COMMA) for argument in positional]
    found.extend(
        f"{k.arg}={expression(k.value, _COMMA)}" if k.arg else "**" + expression(k.value, _STARRED)
        for k in keywords
    )
    return ", ".join(found)


def _parameter(node: gast.Name, default: gast.expr | None) -> str:
    text: str = node.id
    if node.annotation is not None:
        text += ": " + expression(node.annotation, _STARRED)
    if default is None:
        return text
    equals = "=" if node.annotation is None else " = "
    return text + equals + expression(default, _COMMA)


def _within(text: str, own: int, around: int) -> str:
    return text if own >= around else f"({text})"


def _name(node: gast.Name, around: int) -> str:
    return node.id  # type: ignore[no-any-return]


def _constant(node: gast.Constant, around: int) -> str:
    text = literal(node.value)
    if isinstance(node.value, complex) and " " in text:
        return _within(text, _ADD, around)
    return _within(text, _MINUS, around) if text[0] == "-" else text


def _attribute(node: gast.Attribute, around: int) -> str:
    value = node.value
    text = expression(value, _HIGHEST)
    if isinstance(value, gast.Constant) and text.isdigit():  # `1.real` is no expression
        text = f"({text})"
    return f"{text}.{node.attr}"


def _call(node: gast.Call, around: int) -> str:
    inside = arguments_of(node.args, node.keywords)
    if len(node.args) == 1 and not node.keywords and isinstance(node.args[0], gast.GeneratorExp):
        inside = inside[1:-1]
    return f"{expression(node.func, _HIGHEST)}({inside})"


def _subscript(node: gast.Subscript, around: int) -> str:
    index = node.slice
    if isinstance(index, gast.Tuple) and index.elts and not _starred(index):
        inside = ", ".join([_index(item) for item in index.elts])
        if len(index.elts) == 1:
            inside += ","
    else:
        inside = _index(index)
    return f"{expression(node.value, _HIGHEST)}[{inside}]"


def _starred(node: gast.Tuple) -> bool:
    """`x[*i]` is new in Python 3.11; `x[(*i,)]` is the same."""
    return any(isinstance(item, gast.Starred) for item in node.elts)


def _index(node: gast.expr) -> str:
    if not isinstance(node, gast.Slice):
        return expression(node, _COMMA)
    bounds = [None if b is None else expression(b, _COMMA) for b in (node.lower, node.upper)]
    if node.step is not None:
        bounds.append(expression(node.step, _COMMA))
    if all(b is None or _short(b) for b in (node.lower, node.upper, node.step)):
        return ":".join(b or "" for b in bounds)
    return " : ".join(b or "" for b in bounds).strip().replace(" :  : ", " :: ")


def _short(node: gast.expr) -> bool:
    """Whether a bound of a slice stands close to the colon."""
    if isinstance(node, gast.UnaryOp):
        return isinstance(node.op, gast.USub) and _short(node.operand)
    return isinstance(node, (gast.Name, gast.Constant))


def _close(node: gast.expr, text: str) -> bool:
    """Whether an operand of a power stands close to the operator: `x.y**-2`."""
    if isinstance(node, gast.Attribute):
        return _close(node.value, "")
    return _short(node) and not text.startswith("(")


def _binary(node: gast.BinOp, around: int) -> str:
    kind = node.op.__class__.__name__
    if kind == "Pow":
        left = expression(node.left, _POWER + 1)
        right = expression(node.right, _POWER_RIGHT)
        close = _close(node.left, left) and _close(node.right, right)
        return _within(f"{left}**{right}" if close else f"{left} ** {right}", _POWER, around)
    own = _PRECEDENCE[kind]
    text = f"{expression(node.left, own)} {_SYMBOL[kind]} {expression(node.right, own + 1)}"
    return text if own >= around else f"({text})"


def _unary(node: gast.UnaryOp, around: int) -> str:
    kind = node.op.__class__.__name__
    own = _PRECEDENCE[kind]
    space = " " if kind == "Not" else ""
    return _within(_SYMBOL[kind] + space + expression(node.operand, own), own, around)


def _boolean(node: gast.BoolOp, around: int) -> str:
    kind = node.op.__class__.__name__
    own = _PRECEDENCE[kind]
    joint = f" {_SYMBOL[kind]} "
    return _within(joint.join([expression(v, own + 1) for v in node.values]), own, around)


def _compare(node: gast.Compare, around: int) -> str:
    text = expression(node.left, _COMPARE + 1)
    for operator, right in zip(node.ops, node.comparators):
        text += f" {_SYMBOL[operator.__class__.__name__]} {expression(right, _COMPARE + 1)}"
    return _within(text, _COMPARE, around)


def _conditional(node: gast.IfExp, around: int) -> str:
    body, test = expression(node.body, _LAMBDA + 1), expression(node.test, _LAMBDA + 1)
    return _within(f"{body} if {test} else {expression(node.orelse, _LAMBDA)}", _LAMBDA, around)


def _lambda(node: gast.Lambda, around: int) -> str:
    parameters = parameters_of(node.args)
    head = f"lambda {parameters}" if parameters else "lambda"
    return _within(f"{head}: {expression(node.body, _LAMBDA)}", _LAMBDA, around)


def _tuple(node: gast.Tuple, around: int) -> str:
    items = [expression(item, _COMMA) for item in node.elts]
    if len(items) < 2:
        return f"({items[0]},)" if items else "()"
    return _within(", ".join(items), _TUPLE, around)


def _list(node: gast.List, around: int) -> str:
    return f"[{', '.join([expression(item, _COMMA) for item in node.elts])}]"


def _set(node: gast.Set, around: int) -> str:
    items = ", ".join([expression(item, _COMMA) for item in node.elts])
    return f"{{{items or '*()'}}}"


def _dict(node: gast.Dict, around: int) -> str:
    items = [
        "**" + expression(value, _STARRED)
        if key is None
        else f"{expression(key, _COMMA)}: {expression(value, _COMMA)}"
        for key, value in zip(node.keys, node.values)
    ]
    return f"{{{', '.join(items)}}}"


def _generators(node: Any) -> str:
    text = ""
    for part in node.generators:
        text += " async for " if part.is_async else " for "
        text += f"{expression(part.target)} in {expression(part.iter, _IN_COMPREHENSION)}"
        for test in part.ifs:
            text += f" if {expression(test, _IN_COMPREHENSION)}"
    return text


def _list_comprehension(node: gast.ListComp, around: int) -> str:
    return f"[{expression(node.elt, _COMMA)}{_generators(node)}]"


def _set_comprehension(node: gast.SetComp, around: int) -> str:
    return f"{{{expression(node.elt, _COMMA)}{_generators(node)}}}"


def _dict_comprehension(node: gast.DictComp, around: int) -> str:
    key, value = expression(node.key, _COMMA), expression(node.value, _COMMA)
    return f"{{{key}: {value}{_generators(node)}}}"


def _generator(node: gast.GeneratorExp, around: int) -> str:
    return f"({expression(node.elt, _COMMA)}{_generators(node)})"


def _star(node: gast.Starred, around: int) -> str:
    return "*" + expression(node.value, _STARRED)


def _walrus(node: gast.NamedExpr, around: int) -> str:
    return f"({node.target.id} := {expression(node.value, _COMMA)})"


def _yield(node: gast.Yield, around: int) -> str:
    text = "yield" if node.value is None else f"yield {expression(node.value)}"
    return _within(text, Precedence.Yield, around)


def _yield_from(node: gast.YieldFrom, around: int) -> str:
    return _within(f"yield from {expression(node.value, _COMMA)}", Precedence.YieldFrom, around)


def _await(node: gast.Await, around: int) -> str:
    return _within(f"await {expression(node.value, _HIGHEST)}", Precedence.Await, around)


def _formatted(node: gast.JoinedStr, around: int) -> str:
    literal = "".join(part.value for part in node.values if isinstance(part, gast.Constant))
    quotes = "'\"" if '"' in literal and "'" not in literal else "\"'"
    for quote in quotes:
        parts = _format_parts(node, quote)
        if parts is not None:
            return f"f{quote}{parts}{quote}"
    return unparsed(node)


def _format_parts(node: gast.JoinedStr, quote: str, in_spec: bool = False) -> str | None:
    """What stands between the quotes; None if Python 3.11 could not read it back."""
    found = ""
    for part in node.values:
        if isinstance(part, gast.Constant):
            if in_spec and set("{}\\\n") & set(part.value):
                return None
            found += quoted(part.value, quote)
            continue
        value = expression(part.value, _LAMBDA + 1)
        other = "'" if quote == '"' else '"'
        if "\\" in value or (quote in value and other in value):
            return None
        value = value.replace(quote, other)
        found += "{" + " " * value.startswith("{") + value
        found += f"!{chr(part.conversion)}" if part.conversion != -1 else ""
        if part.format_spec is not None:
            specification = _format_parts(part.format_spec, quote, in_spec=True)
            if specification is None:
                return None
            found += f":{specification}"
        found += "}"
    return found


_PRINTERS: dict[str, Callable[[Any, int], str]] = {
    "Name": _name,
    "Constant": _constant,
    "Attribute": _attribute,
    "Call": _call,
    "Subscript": _subscript,
    "Slice": lambda node, around: _index(node),
    "BinOp": _binary,
    "UnaryOp": _unary,
    "BoolOp": _boolean,
    "Compare": _compare,
    "IfExp": _conditional,
    "Lambda": _lambda,
    "Tuple": _tuple,
    "List": _list,
    "Set": _set,
    "Dict": _dict,
    "ListComp": _list_comprehension,
    "SetComp": _set_comprehension,
    "DictComp": _dict_comprehension,
    "GeneratorExp": _generator,
    "Starred": _star,
    "NamedExpr": _walrus,
    "Yield": _yield,
    "YieldFrom": _yield_from,
    "Await": _await,
    "JoinedStr": _formatted,
}
