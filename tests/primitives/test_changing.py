"""Callables whose purpose is to change something: their entries, by running them."""

from __future__ import annotations

import collections
import copy
import operator
from collections.abc import Callable
from typing import Any

import gast
import numpy as np
import pytest

from autodiff.primitives.table import CHANGING, primitive_of
from autodiff.runtime.blanks import add_items, overwrite
from autodiff.runtime.dependence import unite_items
from autodiff.runtime.indexsets import index_sets
from tests.primitives.observed import content

A, B = np.array([3.0, 1.0, 2.0]), np.array([0.5, 0.25, 0.125])
MATRIX = np.eye(2)


# The operands of one call for each entry; the first is changed.


@pytest.fixture(autouse=True)
def of_three_inputs(tmp_path, monkeypatch):
    """What sets of inputs are sets of; some methods write files."""
    monkeypatch.chdir(tmp_path)
    with index_sets(3):
        yield


CALLS: dict[Any, Callable[[], tuple[Any, ...]]] = {
    np.copyto: lambda: (A.copy(), B),
    np.put: lambda: (A.copy(), [0], B),
    np.place: lambda: (A.copy(), A > 1.0, B),
    np.putmask: lambda: (A.copy(), A > 1.0, B),
    np.fill_diagonal: lambda: (MATRIX.copy(), B),
    np.put_along_axis: lambda: (A.copy(), np.array([1]), 7.0, 0),
    np.random.shuffle: lambda: (np.arange(50.0),),
    np.ndarray.fill: lambda: (A.copy(), 7.0),
    np.ndarray.sort: lambda: (A.copy(),),
    np.ndarray.partition: lambda: (A.copy(), 1),
    np.ndarray.put: lambda: (A.copy(), [0], 7.0),
    np.ndarray.resize: lambda: (np.array([1.0, 2.0]), (5,)),
    np.ndarray.setfield: lambda: (A.copy(), 7.0, np.float64),
    np.ndarray.byteswap: lambda: (A.copy(), True),
    np.ndarray.__setitem__: lambda: (A.copy(), 0, 7.0),
    operator.iconcat: lambda: ([A], [B]),
    add_items: lambda: ([A.copy(), 1.0], 0.5),
    overwrite: lambda: ([A.copy(), 1.0], [B.copy(), 2.0]),
    unite_items: lambda: ([np.array([0, 0]), 0], 1),
}
CALLS |= {
    getattr(owner, name): lambda value=value: (
        A.copy() if value is not MATRIX else MATRIX.copy(),
        value,
    )
    for owner, name, value in [
        *((np.ndarray, f"__i{name}__", B) for name in ("add", "sub", "mul", "truediv", "pow")),
        *((np.ndarray, f"__i{name}__", B) for name in ("floordiv", "mod")),
        *((operator, f"i{name}", B) for name in ("add", "sub", "mul", "truediv", "pow")),
        *((operator, f"i{name}", B) for name in ("floordiv", "mod")),
    ]
}
BITS = {"and": 1, "or": 4, "xor": 1, "lshift": 1, "rshift": 1}
CALLS |= {
    getattr(owner, pattern.format(name)): lambda bits=bits: (np.array([3, 2]), bits)
    for name, bits in BITS.items()
    for owner, pattern in ((np.ndarray, "__i{}__"), (operator, "i{}"))
}
SQUARE = np.array([[1.0, 2.0], [3.0, 4.0]])
CALLS |= {
    function: lambda: (SQUARE.copy(), SQUARE)
    for function in (np.ndarray.__imatmul__, operator.imatmul)
}

RECEIVERS: dict[type, Callable[[], Any]] = {
    list: lambda: [3, 1, 2],
    dict: lambda: {"a": A, "b": B},
    set: lambda: {1, 2, 3},
    collections.deque: lambda: collections.deque([3, 1, 2]),
    np.ndarray: lambda: np.array([3.0, 1.0, 2.0]),
}
ARGUMENTS: list[tuple[Any, ...]] = [(), (1,), (0, 7), ([7, 8],), ({7, 8},), ({"c": A},), ("a",)]
ARGUMENTS += [("c", A), (0, A), ({1, 7},), (A,), ((7,), A), (2.0,), (True,), (3, 1.0)]


def state(value: Any) -> Any:
    """What would be another if a value were changed."""
    if isinstance(value, np.ndarray):
        return content(value)
    if isinstance(value, dict):
        return [(key, id(item)) for key, item in value.items()]
    if isinstance(value, (list, set, collections.deque)):
        return [id(item) for item in value]
    return value.__reduce__() if hasattr(value, "__next__") else repr(value)


@pytest.mark.parametrize("function", CALLS, ids=lambda f: f"{type(f).__name__}.{f.__qualname__}")
def test_first_operand_alone_is_written(function: Any) -> None:
    operands = CALLS[function]()
    before = [copy.deepcopy(state(value)) for value in operands]
    result = function(*operands)
    after = [state(value) for value in operands]
    assert before[0] != after[0]
    assert before[1:] == after[1:]
    effects = primitive_of(function).effects
    assert [slot.position for slot in effects.writes] == [0] * len(effects.writes) != []
    assert effects.others or result is not operands[0]
    assert not primitive_of(function).pure


@pytest.mark.parametrize("cls", RECEIVERS, ids=lambda cls: cls.__name__)
def test_methods_that_change_their_receiver_have_an_entry(cls: type) -> None:
    """Where a call with some arguments changes the receiver, that must be known."""
    found = 0
    for name in dir(cls):
        method = getattr(cls, name)
        if not callable(method) or name in ("__init__", "__setattr__", "__class__", "__new__"):
            continue
        effects = primitive_of(method).effects
        for arguments in ARGUMENTS:
            receiver = RECEIVERS[cls]()
            before = state(receiver)
            try:
                method(receiver, *arguments)
            except Exception:
                continue
            if state(receiver) == before:
                continue
            found += 1
            assert effects.writes or effects.unknown, f"{name} changes what it is called on"
    assert found > 5


def test_every_entry_of_containers_is_there_for_a_reason() -> None:
    """Nothing in the table that no call above changes."""
    tried = {
        *CALLS,
        *(
            getattr(cls, name)
            for cls in RECEIVERS
            for name in dir(cls)
            if callable(getattr(cls, name))
        ),
    }
    assert not [function for function in CHANGING if function not in tried]


def test_methods_of_objects_do_everything() -> None:
    assert primitive_of([].append).effects.unknown
    assert primitive_of(np.random.default_rng(0).shuffle).effects.unknown


def test_ufunc_at() -> None:
    for ufunc in (np.add, np.subtract, np.maximum):
        x = A.copy()
        ufunc.at(x, [0], 7.0)
        assert (x != A).any()
        assert [slot.position for slot in primitive_of(ufunc.at).effects.writes] == [0]
        assert not primitive_of(ufunc.at).pure


def test_unknown_callables_do_everything() -> None:
    def mine(x: Any) -> Any:
        return x

    for function in (mine, eval, type("C", (), {}), np.random.rand, [].sort, lambda: 0):
        primitive = primitive_of(function)
        assert not primitive.pure
        assert primitive.raises
        assert primitive.memory == "unknown"
    assert primitive_of(mine).effects.written([gast.Constant(1, None)], [])
