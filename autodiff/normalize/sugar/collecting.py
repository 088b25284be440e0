"""Calls that collect what an iterator gives, said with a comprehension.

sum(f(v) for v in xs)       sum([f(v) for v in xs])
list(f(v) for v in xs)      [f(v) for v in xs]
list(map(f, xs))            [item for item in map(f, xs)]
dict(zip(names, xs))        {key: entry for key, entry in zip(names, xs)}
"""

from __future__ import annotations

import functools
from typing import Any

import gast

from autodiff.normalize.build import call
from autodiff.normalize.sugar.context import Context, meaning
from autodiff.normalize.sugar.predicates import has_walrus, is_lowered_comprehension
from autodiff.normalize.sugar.streams import is_transposing
from autodiff.syntax.names import name, store

_REDUCTIONS = {"sum", "min", "max", "tuple", "sorted", "list", "dict"}
_METHODS = {"prod", "fsum", "extend"}
_ITERATORS = {"map", "zip", "enumerate", "reversed", "filter"}
_PLAIN = {"str", "int", "len", "repr", "bool", "type", "ord", "chr"}  # no derivative in these


def as_comprehension(node: gast.Call, context: Context) -> gast.expr:
    """The call with a comprehension as its argument, or the comprehension that replaces it."""
    function = node.func
    if _is_reduce(node, context):
        return _reduced(node)
    if len(node.args) != 1 or not _collects(function, context):
        return node
    collected = node.args[0]
    if isinstance(function, gast.Name) and function.id == "dict":
        is_pairs = not node.keywords and _called(collected, context) in ("zip", "enumerate")
        return _table(collected, context) if is_pairs else node
    made: Any = None
    if isinstance(collected, gast.GeneratorExp):
        made = gast.ListComp(elt=collected.elt, generators=collected.generators)
    else:
        generator = as_generator(collected, context)
        if generator is not None:
            made = gast.ListComp(elt=generator.elt, generators=generator.generators)
    if made is None or not is_lowered_comprehension(made):
        return node
    gast.copy_location(made, collected)
    if isinstance(function, gast.Name) and function.id == "list" and not node.keywords:
        return made
    return gast.copy_location(gast.Call(func=function, args=[made], keywords=node.keywords), node)


def _is_reduce(node: gast.Call, context: Context) -> bool:
    """Whether it is `reduce(f, (e for v in xs))`, maybe with a value to begin with."""
    named = getattr(node.func, "attr", getattr(node.func, "id", "")) == "reduce"
    if not named or not 2 <= len(node.args) <= 3 or node.keywords:
        return False
    is_plain = all(isinstance(part, (gast.Name, gast.Constant)) for part in node.args[2:])
    is_generator = isinstance(node.args[1], gast.GeneratorExp)
    return is_plain and is_generator and meaning(node.func, context) is functools.reduce


def _reduced(node: gast.Call) -> gast.Call:
    generator = node.args[1]
    made = gast.ListComp(elt=generator.elt, generators=generator.generators)
    if not is_lowered_comprehension(made):
        return node
    gast.copy_location(made, generator)
    new = gast.Call(func=node.func, args=[node.args[0], made, *node.args[2:]], keywords=[])
    return gast.copy_location(new, node)


def _collects(function: Any, context: Context) -> bool:
    if isinstance(function, gast.Attribute):
        return function.attr in _METHODS
    if not isinstance(function, gast.Name) or function.id not in _REDUCTIONS:
        return False
    return context.is_builtin(function.id)


def _called(node: Any, context: Context) -> str | None:
    """The builtin that the node calls."""
    if not isinstance(node, gast.Call) or not isinstance(node.func, gast.Name):
        return None
    return str(node.func.id) if context.is_builtin(node.func.id) else None


def as_generator(collected: Any, context: Context) -> gast.GeneratorExp | None:
    """`map`, `filter`, `zip` ... said with a generator expression, if they can be."""
    called = _called(collected, context)
    if called not in _ITERATORS or collected.keywords and called in ("map", "filter"):
        return None
    arguments = collected.args
    if is_transposing(collected, context):
        item = context.temporary("item")
        return _generator(name(item), store(item), collected, [])
    if not arguments or any(isinstance(part, gast.Starred) for part in arguments):
        return None
    first, *others = arguments
    if isinstance(first, gast.Name) and first.id in _PLAIN:
        return None
    if called == "filter":
        return _filtered(first, others[0], context) if len(others) == 1 else None
    if called == "map" and isinstance(first, gast.Lambda):
        return _applied(first, others)
    item = context.temporary("item")
    return _generator(name(item), store(item), collected, [])


def _generator(
    element: gast.expr, target: gast.expr, iterable: gast.expr, tests: list[gast.expr]
) -> gast.GeneratorExp:
    generator = gast.comprehension(target=target, iter=iterable, ifs=tests, is_async=0)
    return gast.GeneratorExp(elt=element, generators=[generator])


def _filtered(test: Any, iterable: Any, context: Context) -> gast.GeneratorExp | None:
    if isinstance(test, gast.Lambda):
        parameter = _parameters(test, 1)
        if parameter is None:
            return None
        return _generator(name(parameter[0]), store(parameter[0]), iterable, [test.body])
    if not isinstance(test, gast.Name):
        return None
    item = context.temporary("item")
    return _generator(name(item), store(item), iterable, [call(test.id, name(item))])


def _applied(function: gast.Lambda, iterables: list[Any]) -> gast.GeneratorExp | None:
    """`map(lambda x, y: e, xs, ys)`."""
    variables = _parameters(function, len(iterables))
    if variables is None:
        return None
    targets = [store(variable) for variable in variables]
    if len(targets) == 1:
        return _generator(function.body, targets[0], iterables[0], [])
    target = gast.Tuple(elts=targets, ctx=gast.Store())
    return _generator(function.body, target, call("zip", *iterables), [])


def _parameters(function: gast.Lambda, count: int) -> list[str] | None:
    """The names of the parameters of a lambda that takes just so many positional ones."""
    arguments = function.args
    plain = [*arguments.posonlyargs, *arguments.args]
    others = (arguments.vararg, arguments.kwarg, *arguments.kwonlyargs, *arguments.defaults)
    if len(plain) != count or any(other is not None for other in others):
        return None
    return None if has_walrus(function) else [parameter.id for parameter in plain]


def _table(collected: Any, context: Context) -> gast.DictComp:
    key, entry = context.temporary("key"), context.temporary("entry")
    target = gast.Tuple(elts=[store(key), store(entry)], ctx=gast.Store())
    generator = gast.comprehension(target=target, iter=collected, ifs=[], is_async=0)
    return gast.DictComp(key=name(key), value=name(entry), generators=[generator])
