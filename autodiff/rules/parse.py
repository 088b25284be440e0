"""Template -> rule: reads the source of a template and checks what can be checked of it."""

from __future__ import annotations

import ast
import inspect
import linecache
import sys
import textwrap
from typing import Any

import gast
import numpy as np

from autodiff.errors import TemplateError
from autodiff.rules.linearity import Linearity
from autodiff.rules.template import Rule, Template
from autodiff.syntax.origin import Origin


def parse(template: Template) -> Rule:
    """The rule that a template states.

    Raises TemplateError, with the place in the template, when it is none.
    """
    function = template.function
    code = function.__code__
    tree = _tree(template)
    parameters = tuple(inspect.signature(function).parameters.values())
    _check_parameters(template, parameters, tree)
    result, *names = (parameter.name for parameter in parameters)
    module = sys.modules.get(function.__module__) or inspect.getmodule(function)
    if module is None:
        raise TemplateError(f"the module of template {function.__name__} is gone", _origin(tree))
    cells = dict(zip(code.co_freevars, function.__closure__ or ()))
    rule = Rule(
        template.primitives,
        function.__name__,
        result,
        parameters[1:],
        (),
        {},
        template.elementwise,
        template.holomorphic,
        template.linear,
        template.multilinear,
        template.linear_in,
        module,
        cells,
        code.co_filename,
        code.co_firstlineno,
    )
    temporaries, adjoints = _body(tree, rule, names)
    object.__setattr__(rule, "locals", tuple(temporaries))
    object.__setattr__(rule, "adjoints", adjoints)
    return rule


def _tree(template: Template) -> gast.FunctionDef:
    """The template's definition; only its own lines are parsed."""
    file, first = template.place
    lines = linecache.getlines(file, template.function.__globals__)
    if len(lines) < first:
        raise TemplateError(
            f"the source of template {template.function.__name__} is not available",
            why="a template is read from its source, which is not in a file",
            cure="write the template in a file",
        )
    block = _block(lines[first - 1 :])
    try:
        definition = _parsed(block, first)
    except SyntaxError:  # a text over several lines misled the eye
        definition = _parsed(inspect.getblock(lines[first - 1 :]), first)
    origin = Origin(file, first, 0, first, 1, block[0].strip())
    if not isinstance(definition, ast.FunctionDef):
        raise TemplateError("a template is written with def", origin)
    definition.decorator_list = []
    tree = gast.ast_to_gast(definition)
    for statement in tree.body:
        text = "".join(lines[statement.lineno - 1 : statement.end_lineno])
        start, end = statement.col_offset, statement.end_col_offset
        statement.origin = Origin(
            file, statement.lineno, start, statement.end_lineno, end, textwrap.dedent(text).rstrip()
        )
    tree.origin = origin
    return tree


def _block(lines: list[str]) -> list[str]:
    """The lines of a decorated definition, told by their indentation.

    `inspect.getblock` knows more, but takes as long as all the rest of reading a template.
    """
    indent = len(lines[0]) - len(lines[0].lstrip())
    defined = False
    for number, line in enumerate(lines):
        text = line.lstrip()
        if text and len(line) - len(text) <= indent and not text.startswith((")", "]", "#")):
            if defined:
                return lines[:number]
            defined = text.startswith("def ")
    return lines


def _parsed(block: list[str], first: int) -> ast.stmt:
    # The empty lines in front give the nodes the line numbers of the file.
    text = "".join(block)
    if not text[0].isspace():
        return ast.parse("\n" * (first - 1) + text).body[0]
    around = ast.parse("\n" * (first - 2) + "if True:\n" + text).body[0]
    assert isinstance(around, ast.If)
    return around.body[0]


def _origin(node: gast.AST) -> Origin | None:
    return getattr(node, "origin", None)


def _check_parameters(
    template: Template, parameters: tuple[inspect.Parameter, ...], tree: gast.FunctionDef
) -> None:
    def refuse(what: str, cure: str) -> TemplateError:
        return TemplateError(f"template {tree.name}: {what}", _origin(tree), cure=cure)

    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    if not parameters or parameters[0].kind in variadic:
        raise refuse("it has no parameter for the result", "name the result first: def f(y, x)")
    if parameters[-1].kind is inspect.Parameter.VAR_KEYWORD:
        raise refuse("it takes **keywords", "name the keywords that the rule handles")
    count = sum(p.kind is not inspect.Parameter.KEYWORD_ONLY for p in parameters) - 1
    for primitive in template.primitives:
        if isinstance(primitive, np.ufunc) and count < primitive.nin:
            raise refuse(
                f"{primitive.__name__} has {primitive.nin} operands, the template {count}",
                "the parameters are the result and then those of the primitive",
            )
        own = _keywords(primitive)
        for parameter in parameters[1:]:
            if own and parameter.name not in own and parameter.default is not parameter.empty:
                raise refuse(
                    f"{primitive.__name__} has no parameter {parameter.name}",
                    f"its parameters are: {', '.join(own)}",
                )


def _keywords(primitive: Any) -> list[str]:
    """The parameters of a primitive written in Python; nothing for others."""
    if not hasattr(primitive, "__code__"):
        return []
    parameters = inspect.signature(primitive, follow_wrapped=False).parameters.values()
    if any(p.kind in (p.VAR_KEYWORD, p.VAR_POSITIONAL) for p in parameters):
        return []
    return [parameter.name for parameter in parameters]


def _body(
    tree: gast.FunctionDef, rule: Rule, names: list[str]
) -> tuple[list[gast.stmt], dict[str, gast.expr]]:
    linearity = Linearity(rule)
    temporaries: list[gast.stmt] = []
    adjoints: dict[str, gast.expr] = {}
    for number, statement in enumerate(tree.body):
        if number == 0 and _is_docstring(statement):
            continue
        target = _target(statement, rule)
        if isinstance(target, gast.Subscript):
            parameter = target.slice.id
            if parameter not in names:
                what = "the result" if parameter == rule.result else "not a parameter"
                raise _error(rule, statement, f"d[{parameter}] is assigned, but it is {what}")
            if parameter in adjoints:
                raise _error(rule, statement, f"d[{parameter}] is assigned twice")
            linearity.check(statement.value, statement, final=True)
            adjoints[parameter] = statement.value
        elif adjoints:
            raise _error(rule, statement, "assignments to local names come before the d[...]")
        else:
            if target.id in names or target.id == rule.result:
                raise _error(rule, statement, f"the parameter {target.id} is overwritten")
            if linearity.check(statement.value, statement):
                linearity.names.add(target.id)
            linearity.locals.add(target.id)
            temporaries.append(statement)
    if not adjoints:
        raise TemplateError(
            f"template {rule.name} assigns no d[...]",
            _origin(tree),
            cure="write d[x] = ..., or register the function as nondifferentiable",
        )
    return temporaries, adjoints


def _target(statement: gast.stmt, rule: Rule) -> Any:
    """What a statement assigns: a local name, or `d[parameter]`."""
    if isinstance(statement, gast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
        if isinstance(target, gast.Name):
            return target
        if (
            isinstance(target, gast.Subscript)
            and isinstance(target.value, gast.Name)
            and target.value.id == "d"
            and isinstance(target.slice, gast.Name)
        ):
            return target
    raise TemplateError(
        f"template {rule.name}: this is neither name = ... nor d[parameter] = ...",
        _origin(statement),
        why="a template is straight-line code that says what each input's adjoint receives",
        cure="write a choice as a conditional expression",
    )


def _is_docstring(statement: gast.stmt) -> bool:
    return isinstance(statement, gast.Expr) and isinstance(statement.value, gast.Constant)


def _error(rule: Rule, statement: gast.stmt, what: str) -> TemplateError:
    return TemplateError(f"template {rule.name}: {what}", _origin(statement))
