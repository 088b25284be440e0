"""Sets: their operators and methods, and loops over them."""

import marshal
from types import FunctionType

import numpy as np
import pytest

from autodiff import AutodiffError, grad, jvp
from tests.core.differences import differences

X = np.array([0.5, 1.2, 0.7, 2.0])


def union(x):
    a = {0, 1, 2}
    b = a | {3}
    return sum(x[i] * (k + 1) for k, i in enumerate(sorted(b)))


def in_one_alone(x):
    a = {0, 1, 2}
    b = a
    a ^= {2, 3}
    return sum(x[i] * i for i in sorted(b))


def asked(x):
    a = {0, 1, 2}
    return (
        x[0] * (a == {0, 2, 1})
        + x[1] * (a <= {0, 1})
        + x[2] * (a > {0, 1})
        + x[3] * a.isdisjoint({7}) * len(a.union([5, 6]))
    )


def changed(x):
    a = set()
    a.update([1, 2], (3,))
    a.discard(7)
    a.remove(2)
    b = a.copy()
    a &= {1, 2}
    a |= {0}
    b -= {3}
    return sum(x[i] ** 2 for i in sorted(a)) + sum(x[i] for i in sorted(b))


def of_texts(x):
    a, b = set("abc"), {"b", "c", "d"}
    return x[0] * len(a & b) + x[1] * len(a - b) + x[2] * len(a ^ b)


def of_pairs(x):
    a, b = {(0, 1), (1, 2)}, {(1, 2), (2, 3)}
    return sum(x[i] * x[j] for i, j in sorted(a | b))


def beside_keys(x):
    have = {"a": x[0], "b": x[1]}
    need = {"a", "c"}
    return sum(have[k] for k in sorted(need & have.keys())) + len(need - have.keys()) * x[2]


def looped(x):
    t = 0.0
    for k, i in enumerate({3, 0} | {1}):
        t += x[i] * (k + 1)
    for i in {1, 2, 3} - {2, 3}:
        t += x[i] ** 2
    return t


def equal_to_others(x):
    a = {1, 2}
    return x[0] * (a == 5) + x[1] * (a != None) + x[2] * (a == [1, 2]) + x[3] * (a != 3.0)  # noqa: E711


def looped_after_removal(x):
    a = {0, 1, 3}
    a.discard(1)
    t = 0.0
    for i in a:
        t = t * x[0] + x[i]
    for i in {5: x[0], 2: x[1], 1: x[2]}.keys() ^ {5}:
        t = t * x[i] + 1.0
    return t


def beside_a_list(x):
    return x[0] * len({0, 1} | [2])


def over_large_numbers(x):
    t = 0.0
    for i in {16, 1, 8}:
        t = t * x[0] + i
    return t


def over_what_was_crowded(x):
    a = {4, 11}
    a.add(3)
    a.discard(11)
    t = 0.0
    for i in a:
        t = t * x[0] + i
    return t


def over_one_that_came_back(x):
    a = {0, 1, 2}
    a.discard(1)
    a.add(1)
    t = 0.0
    for i in a:
        t = t * x[0] + i
    return t


def over_one_of_several(x):
    found = [{0, 1}, {1}]
    found[int(x[0] > 0)].add(2)
    t = 0.0
    for a in found:
        for i in a:
            t = t * x[0] + i
    return t


def list_among_numbers(x):
    return x[0] if [1] in {1, 2} else x[1]


def array_among_numbers(x):
    return x[0] if x in {1, 2} else x[1]


@pytest.mark.parametrize("f", [list_among_numbers, array_among_numbers])
def test_what_has_no_hash_is_an_error(f):
    with pytest.raises(TypeError, match="unhashable"):
        grad(f)(X)
    with pytest.raises(AutodiffError):
        grad(f, trace=False)(X)


def test_a_list_beside_an_operator_is_no_set():
    with pytest.raises(TypeError):
        grad(beside_a_list)(X)


def over_numbers_of_bytecode(x):
    t = 0.0
    for i in {16, 1, 8}:
        t = t * x[0] + i
    return t


def kept_numbers_of_bytecode(x):
    a = {24, 16, 1, 8}
    t = 0.0
    for i in a:
        t = t * x[0] + i
    return t + sum(x[1] ** k * n for k, n in enumerate({16, 1, 8}))


PROGRAMS = (
    *(union, in_one_alone, asked, changed, of_texts, of_pairs, beside_keys, looped),
    *(equal_to_others, looped_after_removal),
    *(over_large_numbers, over_what_was_crowded, over_one_that_came_back, over_one_of_several),
)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_sets_are_those_of_python(f):
    expected = differences(f, (X,))
    np.testing.assert_allclose(grad(f)(X), expected, rtol=1e-6, atol=1e-8)
    value, tangent = jvp(f, (X,), (X,))
    assert value == f(X)
    assert tangent == pytest.approx(expected @ X, rel=1e-6)


@pytest.mark.parametrize("f", [over_numbers_of_bytecode, kept_numbers_of_bytecode])
def test_constants_of_a_file_of_bytecode(f):
    """Python puts a constant set together again when it reads the file: in another order."""
    code = marshal.loads(marshal.dumps(f.__code__))
    assert "frozenset" in map(lambda own: type(own).__name__, code.co_consts)
    own = FunctionType(code, f.__globals__, f.__name__)
    value, tangent = jvp(own, (X,), (X,))
    assert value == own(X)
    assert tangent == pytest.approx(differences(own, (X,)) @ X, rel=1e-6)
