"""Reverse over reverse, forward over reverse and differences over a part of the corpus."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
import pytest

from autodiff import grad
from autodiff.derivatives.derivative import Derivative
from autodiff.errors import AutodiffError
from autodiff.runtime import replica
from autodiff.structure import leaves, map_leaves
from autodiff.transforms.pullback import Pullback
from autodiff.transforms.tangents import Tangent
from tests.forward.running import direction
from tests.language import oracle
from tests.language.corpus import Program
from tests.language.test_language import PROGRAMS, fresh

pytestmark = pytest.mark.heavy

FOLLOWED = frozenset(
    """
    adversary_buffers_2.views_reshape adversary_buffers_3.nested_buffers
    adversary_effects.random_index
    adversary_special.arg_prop adversary_views.reshape_of_T
    distinct_indices.a_buffer_that_a_view_outlives writers.pieces_of_a_number
    calls.reduce containers.list_grows_and_shrinks
    comprehensions.list_arithmetic comprehensions.list_of_lists comprehensions.to_array
    dicts_that_change.dict_of_lists_argument dicts_that_change.filled_by_key
    dicts_that_change.memo_dict
    fields.value_passed_before_it_changes fields.copied_object fields.state_dict_changed_in_loop
    found.list_made_in_while itertools_calls.pairs_of_items
    lists_that_change.history_read_backwards lists_that_change.momentum
    lists_that_change.polynomial_product lists_that_change.smoothed_in_place
    loops.over_dict_items
    none_or_value.linked_list_by_index none_or_value.linked_list_unpacked
    objects.model_with_loop_in_method
    transposed.columns_of_a_history transposed.rows_replaced_in_the_loop
""".split()
)
"""What was refused, or wrong, once."""

TOPICS = {
    *("comprehensions", "dicts_that_change", "lists_that_change"),
    *("flat_stores", "nested_recursion"),
}

BY_ONE_MODE = "masks_in_loops"
"""Reverse over reverse adds up in slots what masks leave out, and is NaN there: see `hessian`."""

SOME = [
    entry
    for n, entry in enumerate([e for e in PROGRAMS if e.topic != BY_ONE_MODE])
    if n % 12 == 0 or entry.topic in TOPICS or entry.name in FOLLOWED
]


def flat(value: Any) -> np.ndarray[Any, Any]:
    return np.concatenate([np.zeros(0), *map(np.ravel, leaves(value))])


def is_asked(entry: Program) -> bool:
    """Whether the value is a real number, the same in each call, and all operands are real."""
    args, keywords = fresh(entry.points[0])
    if keywords:
        return False
    with np.errstate(all="ignore"):
        value = entry.function(*args)
    real = isinstance(value, float) and not any(map(np.iscomplexobj, leaves(args)))
    return real and value == entry.function(*fresh(entry.points[0])[0])


def test_what_is_followed_is_asked() -> None:
    assert {entry.name for entry in SOME if entry.name in FOLLOWED and is_asked(entry)} == FOLLOWED


def moved(x: Any, step: Any) -> Any:
    """A point beside another, which lies in memory as that does."""
    if type(x) is not np.ndarray:
        return x + step
    found = replica(x)
    found[...] += step
    return found


class Orders:
    """The derivative of a program's gradient along a direction: by either mode, by differences."""

    NAMES = ("backwards", "forwards")

    def __init__(self, entry: Program) -> None:
        self.point = entry.points[0]
        self.entry = entry
        self.wrt = entry.wrt_at(self.point)
        given = oracle.arguments(entry.function, *fresh(self.point)).arguments
        random = np.random.default_rng(1)
        self.v = tuple(direction(given[own], random) for own in self.wrt)
        self.gradient = grad(entry.function, self.wrt)

    def arguments(self) -> tuple[Any, ...]:
        return tuple(fresh(self.point)[0])

    def backwards(self) -> np.ndarray[Any, Any]:
        adjoints, back = Derivative(self.gradient, "vjp", self.wrt, False, {})(*self.arguments())
        return flat(Pullback(back, adjoints)(map_leaves(lambda own, w: w, adjoints, self.v)))

    def forwards(self) -> np.ndarray[Any, Any]:
        return flat(Tangent(self.gradient, "jvp", self.wrt).along(self.arguments(), {}, self.v)[1])

    def at(self, step: float) -> np.ndarray[Any, Any]:
        arguments = oracle.arguments(self.entry.function, *fresh(self.point))
        for own, w in zip(self.wrt, self.v):
            arguments.arguments[own] = map_leaves(
                lambda x, y: moved(x, step * y),
                arguments.arguments[own],
                w,
            )
        return flat(self.gradient(*arguments.args))

    @cached_property
    def expected(self) -> np.ndarray[Any, Any]:
        return (self.at(1e-5) - self.at(-1e-5)) / 2e-5

    def compared(self, order: str) -> np.ndarray[Any, Any]:
        """What this order gives, after it was compared with differences."""
        found: np.ndarray[Any, Any] = getattr(self, order)()
        size = max(1.0, float(np.max(np.abs(self.expected), initial=0.0)))
        single = any(np.asarray(x).dtype == np.float32 for x in leaves(self.point.args))
        rough = 2e-3 if single else 1e-4
        np.testing.assert_allclose(found, self.expected, rtol=rough, atol=rough * size)
        return found


@contextlib.contextmanager
def refused_while_running() -> Iterator[None]:
    """What is only told when it runs: a dict where elsewhere there is a number (docs/limits.md)."""
    try:
        yield
    except TypeError as error:
        if "its derivative cannot be followed" not in str(error):
            raise


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("entry", SOME, ids=lambda entry: entry.name)
def test_both_orders_agree(entry: Program) -> None:
    if not is_asked(entry):
        return
    orders = Orders(entry)
    found = {}
    for name in Orders.NAMES:
        with contextlib.suppress(AutodiffError), refused_while_running():
            found[name] = orders.compared(name)
    assert entry.name not in FOLLOWED or "backwards" in found
    if len(found) == 2:
        one, other = found.values()
        size = max(1.0, float(np.max(np.abs(orders.expected), initial=0.0)))
        np.testing.assert_allclose(one, other, rtol=1e-7, atol=1e-7 * size)
