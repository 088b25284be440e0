"""One primitive operation per statement.

    y = np.sin(x) * a[k + 1]

becomes

    sin_x = np.sin(x)
    a_k = a[k + 1]
    y = sin_x * a_k

Operands end up as atoms: names, constants, and attributes of modules (`np.pi`). Expressions that
are never differentiated stay whole: tests, comparisons, indices, f-strings, lambdas,
comprehensions. The names of the temporaries carry the node attribute-free marker that they were not
in the user's text: they are returned beside the tree.
"""

from __future__ import annotations

import gast

_WORDS = {
    gast.Add: "plus",
    gast.Sub: "minus",
    gast.Mult: "times",
    gast.Div: "over",
    gast.Pow: "pow",
    gast.MatMult: "at",
    gast.FloorDiv: "floordiv",
    gast.Mod: "mod",
}
_NOUNS = {
    gast.Add: "total",
    gast.Sub: "difference",
    gast.Mult: "product",
    gast.Div: "quotient",
    gast.Pow: "power",
    gast.MatMult: "product",
}
_LONGEST = 18
"""What joins arrays by its index, `np.r_` and `np.c_`: this holds values, not places."""


def hint(node: gast.expr) -> str:
    """A readable name for the value of an operation: `sin_x`, `a_k`, `x_times_y`."""
    text = _hint(node)
    return text if text.isidentifier() else "value"


def _hint(node: gast.expr) -> str:
    if isinstance(node, gast.Name):
        return str(node.id).removeprefix("$")
    if isinstance(node, gast.Constant):
        return str(node.value) if type(node.value) is int and node.value >= 0 else ""
    if isinstance(node, gast.BinOp):
        left, right = _hint(node.left), _hint(node.right)
        text = f"{left}_{_WORDS.get(type(node.op), 'op')}_{right}"
        if left and right and len(text) <= _LONGEST and text.count("_") <= 4:
            return text
        return _NOUNS.get(type(node.op), "value")
    if isinstance(node, gast.UnaryOp):
        return _joined("minus" if isinstance(node.op, gast.USub) else "value", node.operand)
    if isinstance(node, gast.Call):
        function = node.func
        own = function.attr if isinstance(function, gast.Attribute) else _hint(function)
        if isinstance(function, gast.Attribute) and not any(map(_is_named, node.args[:1])):
            if not node.args or not _is_module(function.value):
                return _joined(own, function.value)  # `x.reshape(3, 4)`: what it is done to
        return _joined(own, node.args[0]) if node.args else own + "_value"
    if isinstance(node, gast.Attribute):
        base = _hint(node.value)
        return f"{base}_{node.attr}" if base and len(base) < _LONGEST else node.attr
    if isinstance(node, gast.Subscript):
        base, index = _hint(node.value), _hint(node.slice)
        if isinstance(node.slice, gast.Constant) and type(node.slice.value) is str:
            key = node.slice.value  # `d_key` and `d_key_bar` are for the parts of `d`
            index = f"{key}_value" if key.isidentifier() else ""
        return f"{base}_{index}" if index and len(base + index) < _LONGEST else f"{base}_item"
    if isinstance(node, gast.Tuple):
        return "pair" if len(node.elts) == 2 else "items"
    if isinstance(node, gast.List):
        return "items"
    if isinstance(node, gast.Dict):
        return "table"
    if isinstance(node, (gast.Compare, gast.BoolOp)):
        return "condition"
    return "value"


def _is_named(node: gast.expr) -> bool:
    """Whether a name of a value can be made of an expression; not of a number or a tuple."""
    return not isinstance(node, (gast.Constant, gast.UnaryOp, gast.Tuple))


def _is_module(node: gast.expr) -> bool:
    return isinstance(node, gast.Name) and node.id in ("np", "numpy", "math")


def _joined(own: str, operand: gast.expr) -> str:
    text = f"{own}_{_hint(operand)}"
    return text if _hint(operand) and len(text) <= _LONGEST else f"{own}_value"
