"""Methods of lists and dicts."""

from __future__ import annotations

from autodiff.core import NotYet, Value, constant
from autodiff.lower.entries import lists
from autodiff.lower.entries.boxes import called
from autodiff.lower.entries.entry import Box, DictView, Entries, Entry, Pack
from autodiff.lower.entries.lists import part as item
from autodiff.lower.expression import parts
from autodiff.lower.expression.application import Arguments
from autodiff.lower.expression.expressions import Expressions
from autodiff.lower.recipes import library_recipes as recipes
from autodiff.lower.recipes.container_recipes import METHODS
from autodiff.primitives.containing import KEYED, PLAIN, plain


def of_list(expressions: Expressions, box: Box, method: str, arguments: Arguments) -> Entry:
    """A method of a list or dict: of one whose parts are known, while compiling."""
    given, named = arguments.positional, arguments.named
    if box.cls is dict and method in ("keys", "values", "items") and not (given or named):
        return DictView(box, method)
    if box.cls is list and method == "sort" and not given:
        return parts.sorted_in_place(expressions, box, named)
    if box.cls is dict and method == "update" and len(given) < 2:
        return parts.updated(expressions, box, given, named)
    if named:
        raise NotYet(f"method {method} of a {box.cls.__name__} with keywords")
    if box.cls is list and method == "extend" and len(given) == 1:
        parts.extended(expressions, box, given[0])
        return constant(None)
    if lists.memory_of(box) is not None or is_found_later(expressions, box, method, given):
        return of_memory(expressions, box, method, given)
    if box.cls in KEYED and method in (*KEYED[box.cls], *PLAIN):
        return parts.on_parts(expressions, box, method, given)
    if (box.cls, method, len(given)) in METHODS:
        return of_memory(expressions, box, method, given)
    raise NotYet(f"method {method} of a {box.cls.__name__}")


def is_found_later(expressions: Expressions, box: Box, method: str, given: Entries) -> bool:
    """Whether a method makes memory of a container: it grows in a block, or anywhere."""
    grows = box.cls is list and method in ("append", "pop")
    if grows and lists.is_shared(expressions.unit, box):
        return True
    if method not in KEYED[dict if box.cls is dict else list] or not given:
        return False
    key = expressions.unit.facts.exact(given[0])
    parts = key.items if isinstance(key, Pack) and key.cls is tuple else (key,)
    return any(isinstance(each, Value) and not each.is_constant for each in parts)


def of_memory(expressions: Expressions, box: Box, method: str, given: Entries) -> Entry:
    """A method of a list or a dict that is memory."""
    builder = expressions.builder
    own = dict if box.cls is dict else list
    recipe = METHODS.get((own, method, len(given)))
    value = lists.as_memory(expressions, box)
    if method == "get" and len(given) == 2 and value.memory is not None:
        value.memory.note(None, plain(lists.item_value(expressions, given[1]).kind))
    if box.cls is tuple and method not in ("index", "count"):
        raise NotYet(f"method {method} of a tuple")
    if recipe is not None:
        return called(expressions, recipe, box, *given)
    keys = [lists.key_value(expressions, box, given[0])] if given and method in KEYED[own] else []
    if method == "append" and len(given) == 1:
        builder.append(value, lists.item_value(expressions, given[0]))
    elif method == "insert" and len(given) == 2:
        builder.append(value, lists.item_value(expressions, given[1]), keys[0])
    elif method == "pop" and len(given) < 2:
        return lists.held(expressions, builder.take(value, *keys))
    elif method == "__getitem__" and len(given) == 1:
        return item(expressions, box, keys[0])
    elif method == "__setitem__" and len(given) == 2:
        lists.put_part(expressions, box, keys[0], lists.item_value(expressions, given[1]))
    elif method == "copy" and not given:
        return called(expressions, recipes.listed, box)
    else:
        raise NotYet(f"method {method} of a {box.cls.__name__} that is memory")
    return constant(None)
