"""Tapes as a type of their own: records of several numbers, in memory that is kept."""

import math
import subprocess
import sys
import tracemalloc
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

numba = pytest.importorskip("numba")

from autodiff import grad  # noqa: E402 (needs Numba)
from autodiff.native import kept  # noqa: E402 (needs Numba)

X = np.linspace(0.2, 1.3, 7)


def of_all_types(x, z):
    """A float, a whole number, a truth and a complex number go on the tape at one place."""
    s, place, is_up, w, d = 0.0, 1, True, 1.0 + 0.0j, x[1]
    for k in range(2 * len(x)):
        s = s * x[place] + math.sin(s * x[place])
        w = w * (z + x[place]) * 0.5
        if is_up:
            s = s * s + x[0]
        is_up, place, d = s < 0.8, (3 * place + k) % len(x), 0.5 * d * d + 0.1
    return s + w.real * w.imag + d


def steps(x, n):
    """Three numbers for each of `n` steps: megabytes."""
    y = 0.5 * x
    for _ in range(n):
        x, y = x - 1e-3 * math.sin(y) * x, y + 1e-3 * x * y
    return x * y


def left(x, n, bad):
    """A loop that is left by an error, with the tape half full."""
    s = x
    for k in range(n):
        s = s * x + math.sin(s) / (bad - k)
    return s


def shorter_each_time(x):
    """Nobody knows on entry how much is pushed in all: the tapes grow."""
    s, t = 1.0, 0.1
    for i in range(len(x)):
        for j in range(i):
            s, t = 0.3 * s * x[j] + t, 0.2 * t * math.sin(s) + x[i]
    return s * t


def left_early(x, n, m):
    """A range that nobody means to go through, and after the first round another one."""
    s = x[0]
    for i in range(3):
        for k in range(n):
            s = s * x[k % 7] + math.sin(s)
            if k > 20 + i:
                break
        n = m
    return s


def test_numbers_of_all_types_lie_side_by_side():
    native, plain = grad(of_all_types, (0, 1), backend="numba"), grad(of_all_types, (0, 1))
    for z in (0.3 + 0.4j, 1.1 - 0.2j):
        for found, expected in zip(native(X, z), plain(X, z), strict=True):
            np.testing.assert_allclose(found, expected, rtol=1e-12)
    kinds = [line for line in native.source.splitlines() if "new_tape(" in line]
    assert any(all(kind in line for kind in ("float64", "int64", "bool")) for line in kinds), kinds


def test_what_is_pushed_together_is_one_statement():
    native = grad(steps, backend="numba")
    assert native(0.3, 50) == pytest.approx(grad(steps)(0.3, 50), rel=1e-13)
    assert "y_tape[y_count] = y, x, product\n" in native.source
    assert "y, x, product = y_tape[y_count]\n" in native.source


def test_growing_tapes():
    np.testing.assert_allclose(
        grad(shorter_each_time, backend="numba")(X), grad(shorter_each_time)(X), rtol=1e-12
    )


def below_zero(x, n):
    s = x
    for k in range(n):
        for _ in range(-3):
            s = s * math.sin(s)
        for _ in range(True):
            s = s * s + math.sin(s) * k
    for _ in range(-2):
        s = s * s
    return s


def test_loops_that_run_never():
    assert grad(steps, backend="numba")(0.3, 0) == grad(steps)(0.3, 0)
    native = grad(below_zero, backend="numba")
    assert native(0.3, 4) == pytest.approx(grad(below_zero)(0.3, 4), rel=1e-12)


def alone(code):
    """Run code in a process of its own, in which no other test has left memory."""
    about = "from autodiff import grad\nfrom autodiff.native import kept\n"
    about += "from tests.native.test_tapes import steps, until\n"
    command = [sys.executable, "-c", about + code]
    found = subprocess.run(command, capture_output=True, text=True)
    assert found.returncode == 0, found.stderr


@pytest.mark.parametrize("function", ["steps", "until"])
def test_the_next_call_finds_the_memory(function):
    """Memory that was not found again would come to wait beside the first."""
    alone(f"""
native = grad({function}, backend="numba")
assert kept.waiting() == 0
found = [(native(0.3, 200_000), kept.waiting()) for _ in range(4)]
assert found[0][1] >= 200_000 * 8
assert found == [found[0]] * 4
""")


def test_no_more_waits_than_said():
    native = grad(steps, backend="numba")
    for n in (10, 10_000, 100_000, 500_000, 3_000_000, 6_000_000):
        native(0.3, n)
        assert kept.waiting() <= kept.MOST


def test_memory_of_calls_at_the_same_time():
    compiled = grad(steps, backend="numba").native_for(0.3, 1)
    native = numba.njit(nogil=True)(lambda x, n: compiled(x, n))
    lengths = [20_000 + 1_000 * (k % 5) for k in range(60)]
    alone = {n: native(0.3, n) for n in set(lengths)}
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda n: native(0.3, n), lengths))
    assert together == [alone[n] for n in lengths]


def test_an_error_between_push_and_pop():
    native = grad(left, backend="numba")
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            native(0.9, 40_000, 20_000)
    assert native(0.9, 40_000, -1) == pytest.approx(grad(left)(0.9, 40_000, -1), rel=1e-9)


def until(x, limit):
    """Nobody knows how often it runs: the tape grows in the loop."""
    n, s = 0, x
    while n < limit:
        s = s + 1e-6 * math.sin(s) * x
        n = n + 1
    return s


def test_tapes_that_grow_in_the_loop():
    native = grad(until, backend="numba")
    assert native(0.3, 1_000) == pytest.approx(grad(until)(0.3, 1_000), rel=1e-12)


@pytest.mark.parametrize("large", [10**10, 2**59, 2**61, 2**62, 2**63 - 1])
def test_a_range_that_is_left_early_may_be_longer_than_memory(large):
    native = grad(left_early, backend="numba")
    for n, m in ((large, 30), (30, large)):
        np.testing.assert_allclose(native(X, n, m), grad(left_early)(X, n, m), rtol=1e-12)


def left_from_inside(x, n, m):
    s = x[0]
    for _ in range(n):
        for k in range(m):
            s = s * x[k % 7] + math.sin(s)
            if k > 50:
                return s
        s = s * 0.5
    return s


@pytest.mark.parametrize(("n", "m"), [(3, 40), (1, 2**44), (2**62, 2**44)])
def test_nested_ranges_that_are_left_early(n, m):
    native = grad(left_from_inside, backend="numba")
    np.testing.assert_allclose(native(X, n, m), grad(left_from_inside)(X, n, m), rtol=1e-12)


def rounds(x, n, m, tolerance):
    """The inner loop goes on to its end: room for it is made when it begins."""
    s, before = x, 0.0
    for k in range(n):
        for _ in range(m):
            s = 0.5 * s + 0.3 * math.sin(s * x) + 0.1 * s * s
        if abs(s - before) < tolerance * (k + 1):
            break
        before = s
    return s


def test_a_loop_to_its_end_in_one_that_is_left_early():
    native = grad(rounds, backend="numba")
    for m in (0, 1, 30, 200):
        expected = grad(rounds)(0.7, 10**10, m, 1e-6)
        assert native(0.7, 10**10, m, 1e-6) == pytest.approx(expected, rel=1e-12)
    assert native.source.count("longer(s_tape, ") == 1
    assert "longer(s_tape, s_count, len(range(m)))" in native.source


def of_arrays(x, n):
    y = x
    for _ in range(n):
        z = y
        y = np.sin(y) * x + 0.1 * y
        if np.max(abs(y - z)) < 1e-3:
            break
    return np.sum(y * y)


def test_a_tape_of_arrays_in_a_loop_that_is_left_early():
    native = grad(of_arrays, backend="numba")
    np.testing.assert_allclose(native(X, 10**10), grad(of_arrays)(X, 10**10), rtol=1e-12)


def of_all_types_until(x, z, bound):
    """Records of a float, a whole number, a truth and a complex number, on a tape that grows."""
    s, place, is_up, w, k, d = 0.0, 1, True, 1.0 + 0.0j, 0, x[1]
    while k < bound:
        s = s * x[place] + math.sin(s * x[place])
        w = w * (z + x[place]) * 0.5
        if is_up:
            s = s * s + x[0]
        is_up, place, d = s < 0.8, (3 * place + k) % len(x), 0.5 * d * d + 0.1
        k = k + 1
    return s + w.real * w.imag + d


@pytest.mark.parametrize("bound", [0, 1, 64, 65, 700, 5000])
def test_records_on_a_tape_that_grows(bound):
    wrt = (0, 1)
    native, plain = grad(of_all_types_until, wrt, backend="numba"), grad(of_all_types_until, wrt)
    for found, expected in zip(native(X, 0.3j, bound), plain(X, 0.3j, bound), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-300)
    assert "d_tape = longer(d_tape, d_count, 1)" in native.source
    assert "d, is_up, w, place, s, s_2 = d_tape[d_count]" in native.source


def left_late(x, n, tolerance):
    y = x
    for _ in range(n):
        z = y
        y = y + 1e-7 * math.sin(y) * x
        if abs(y - z) < tolerance:
            break
    return y


def to_the_end(x, n):
    y = x
    for _ in range(n):
        y = y + 1e-7 * math.sin(y) * x
    return y


def test_a_tape_that_grows_to_what_never_waits():
    """80 MB, from a block of the heap over those that wait to one whose pages are moved."""
    n = 10_000_000
    late, whole = (grad(f, backend="numba") for f in (left_late, to_the_end))
    assert late(0.3, n, -1.0) == whole(0.3, n)


def test_no_memory_is_left_behind():
    """What tapes take is Python's memory, of which it can tell how much there is."""
    native = grad(left_early, backend="numba")
    native(X, 30, 40)
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    for _ in range(200):
        native(X, 30, 40)
    after, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most > before + 64 * 8
    assert after < before + 100 * 64 * 8


def nested(x, n, m):
    for _ in range(n):
        for _ in range(m):
            x = x * math.sin(x)
    return x


@pytest.mark.parametrize("large", [2**59, 2**61, 2**62, 2**63 - 1])
def test_more_than_there_is(large):
    """The bytes of so many numbers are none in 64 bits, or few: nothing is written outside."""
    native = grad(nested, backend="numba")
    for n, m in ((large, 1), (1, large), (2**32, large), (large, large)):
        with pytest.raises(MemoryError, match="no room for the tape"):
            native(0.3, n, m)
    with pytest.raises(MemoryError, match="no room for the tape"):
        grad(rounds, backend="numba")(0.3, 10, large, 1e-6)


@pytest.mark.parametrize("n", [2**20, 2**32, 2**62])
def test_a_product_of_trips_that_64_bits_do_not_hold(n):
    native = grad(nested, backend="numba")
    with pytest.raises(MemoryError, match="no room for the tape"):
        native(0.3, n, 2**44)
    assert native(0.3, 3, 4) == pytest.approx(grad(nested)(0.3, 3, 4), rel=1e-12)


def test_modules_that_are_loaded_again():
    """Code that is compiled holds the address of the allocator that it was compiled with."""
    alone("""
import gc, importlib
native = grad(steps, backend="numba")
before = native(0.3, 20_000)
importlib.reload(kept)
gc.collect()
assert native(0.3, 20_000) == before == grad(steps, backend="numba")(0.3, 20_000)
""")
