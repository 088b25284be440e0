"""What is said of containers and objects that are used in ways that are not followed."""

from __future__ import annotations

from typing import Any

from autodiff.core import Again, NotYet
from autodiff.frontend.fence import CURE, WHY
from autodiff.lower.recipes.only_called import known_as
from autodiff.primitives.executing import LOCALS, reads_variables


def as_a_whole(cls: type) -> NotYet:
    """An object is to be memory, of a class of which none can be."""
    return Again.saying(
        f"a {known_as(cls)} as memory",
        f"a {known_as(cls)} is kept or handed on as a whole",
        "where it is found only when it runs which one it is, only numbers, arrays, and lists, "
        "dicts, tuples and plain objects of these are followed",
        "keep a list of what it holds instead, `list(...)`",
    )


def of_any_items() -> NotYet:
    """A list that is memory is to be one value, and its items are of several kinds."""
    return Again.saying(
        "an item of a list that may be anything",
        "a list is used whole whose items are no numbers or arrays, or not all of one kind",
        "its items are followed one by one, where a loop or an index takes them",
        "write the loop over its items, or keep numbers and arrays of one kind in a flat list",
    )


def no_value(cls: type) -> NotYet:
    """An object is computed with."""
    return NotYet.saying(
        "an object as a value",
        f"a {known_as(cls)} is used as a number or an array",
        "its parts are followed one by one, but not all of them at once",
        "keep its numbers and arrays in a list or dict, and compute with these",
    )


def not_compared(one: str, other: str) -> NotYet:
    """Things are compared of which it is not known what that means."""
    return NotYet.saying(
        f"a comparison of {one}",
        f"a {one} is compared with a {other}",
        "autodiff compares numbers, arrays and texts, and lists and tuples of these",
        "compare numbers that are taken out of them, and find the number or key of an item",
    )


def not_for_a_rule(given: Any) -> tuple[str, str, str]:
    """A rule is given what no text is written for, as an argument that it looks at."""
    name = getattr(given, "__name__", "")
    return (
        f"the rule of what is called here is given {name or 'an object'}, a {type(given).__name__}",
        "it is written for numbers, arrays and texts",
        "give it one of these, or write out what is computed",
    )


def check_frame(found: Any, word: str = "") -> None:
    """Refuses what asks which function runs, reads its variables, or runs a text in it, and the
    attribute `word` that holds them.
    """
    asks = any(found is own for own in (exec, eval, locals, globals))
    if asks or word == LOCALS or reads_variables(found):
        reason = f"through {word or found.__name__}"
        raise NotYet.saying(reason, f"cannot differentiate {reason}", WHY, CURE)


def of_recursion() -> NotYet:
    """A function that calls itself is to be a call, and is none of numbers and arrays."""
    return NotYet.saying(
        "recursion of what changes or lends memory",
        "a function that calls itself gives or changes a container, or what others have",
        "such a call is one function with a pullback, of numbers, arrays, and tuples of these",
        "return numbers, arrays, or tuples of these, or write the recursion as a loop",
    )
