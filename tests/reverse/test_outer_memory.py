"""Memory outside of a function that calls change in place, between what both sweeps read."""

import collections
import contextlib
import functools
import operator  # noqa: F401 (named in the texts)
import types

import numpy as np
import pytest

from autodiff import UnsupportedSyntaxError, checkpointed, grad
from tests.core.differences import refused_or_right
from tests.reverse import settings


class State:
    def __init__(self):
        self.count = 0
        self.w = np.ones(4)

    def store(self):
        self.w[:] = self.w + 1.0

    def add(self):
        self.w += 1.0

    def by_another_method(self):
        self.add()

    def by_a_local_name(self):
        w = self.w
        w *= 2.0


STATE, W, ROWS, TABLE = State(), np.ones(4), [np.ones(4)], {"w": np.ones(4)}
LIKE_W = W[:]
SEEN = []


def change(a):
    a[:] = 5.0


def counted():
    global COUNT
    COUNT += 1
    W[:] = 2.0


COUNT = 0


def of_a_default(w=W):
    w[0] = 3.0


def row_by_a_local_name():
    w = ROWS[0]
    w += 1.0


def rows_in_a_loop():
    for w in TABLE.values():
        w *= 2.0


def by_a_comprehension():
    [w.fill(3.0) for w in ROWS]


def by_a_function_inside():
    def inner():
        W[1] = 3.0

    inner()


def of_one_of_two(first=True):
    (W if first else LIKE_W)[0] = 3.0


def add_to_the_attribute():
    STATE.w += 1.0


def by_unpacking():
    first, _ = W, ROWS
    first[0] = 4.0


def run(function):
    function()


CHANGES = {
    "W": [
        "counted()", "of_a_default()", "change(W)", "np.add(W, 1.0, out=W)", "np.add(W, 1.0, W)",
        "np.copyto(W, 2.0)", "W.fill(3.0)", "np.add.at(W, [0, 1], 1.0)", "change(LIKE_W)",
        "by_a_function_inside()", "of_one_of_two()", "by_unpacking()", "run(counted)",
        "change(W.reshape(2, 2))", "np.put(W, [0], 3.0)", "change(np.asarray(W))", "W.sort()",
        "list(map(change, [W]))", "run(lambda: change(W))", "[change].pop()(W)",
        "(change, 1.0)[0](W)", "[*[W], 1.0][0].fill(3.0)", "np.split(W, 2)[0].fill(3.0)",
        "q = []; q.append(W); w = q[0]; w *= 3.0", "q = []; q.append(W); w = q.pop(); w *= 3.0",
        "q = {}; q['a'] = W; w = q['a']; w *= 3.0", "s = State(); s.w = W; w = s.w; w *= 3.0",
    ],
    "ROWS[0]": [
        "row_by_a_local_name()", "change(ROWS[0])", "by_a_comprehension()",
        "[].extend(change(w) for w in ROWS)", "list(zip(ROWS, [1.0]))[0][0].fill(2.0)",
        "{}.update((k, change(w)) for k, w in enumerate(ROWS))",
        "sorted(ROWS, key=np.sum)[0].fill(2.0)", "q = []; q.extend(ROWS); w = q[0]; w *= 3.0",
    ],
    "TABLE['w']": ["rows_in_a_loop()", "TABLE.update(w=np.zeros(4))", "change(TABLE['w'])"],
    "settings.W": ["settings.refill()", "settings.add_to_it()", "change(settings.W)"],
    "STATE.w": [
        "STATE.store()", "STATE.add()", "STATE.by_another_method()", "STATE.by_a_local_name()",
        "add_to_the_attribute()", "change(STATE.w)", "np.multiply(STATE.w, 2.0, STATE.w)",
        "change(vars(STATE)['w'])", "change(getattr(STATE, 'w'))", "run(STATE.add)",
    ],
}  # fmt: skip


def put_back():
    for value in (W, ROWS[0], settings.W):
        value[:] = 1.0
    STATE.__init__()
    TABLE["w"] = np.ones(4)


@pytest.fixture(autouse=True)
def _put_back():
    put_back()


def _program(tmp_path, text):
    path = tmp_path / "program.py"
    path.write_text(text)
    space = dict(globals())
    exec(compile(text, str(path), "exec"), space)
    return space["program"]


@pytest.mark.parametrize(
    ("change_it", "read"), [(call, read) for read, calls in CHANGES.items() for call in calls]
)
def test_what_is_changed_between_two_reads(change_it, read, tmp_path):
    text = f"def program(x):\n    y = x * {read}\n    {change_it}\n    return np.sum(y * x)\n"
    program = _program(tmp_path, text)
    x = np.array([0.3, 0.5, 0.2, 0.7])
    refused_or_right(program, x, match=r"change|updated in place", begin=put_back)


@pytest.mark.parametrize(
    ("change_it", "read"), [(call, read) for read, calls in CHANGES.items() for call in calls]
)
def test_what_is_changed_before_it_is_read(change_it, read, tmp_path):
    text = f"def program(x):\n    {change_it}\n    y = x * {read}\n    return np.sum(y * x)\n"
    program = _program(tmp_path, text)
    x = np.array([0.3, 0.5, 0.2, 0.7])
    try:
        found = grad(program)(x)
    except UnsupportedSyntaxError:
        return
    put_back()
    np.testing.assert_allclose(found, [_difference(program, x, k) for k in range(4)], rtol=1e-7)


def _difference(program, x, k):
    step = 1e-4 * np.eye(4)[k]
    values = []
    for point in (x + step, x - step):
        put_back()
        values.append(program(point))
    return (values[0] - values[1]) / 2e-4


def weights():
    """Reads what the function reads, and stores into what it makes."""
    made = np.zeros(4)
    made[:2] = W[:2]
    made += ROWS[0]
    return made


def reads_constants_in_a_helper(x):
    y = x * W
    return np.sum(y * x * weights() * ROWS[0])


def counts_and_logs(x):
    y = x * W
    count()
    SEEN.append(STATE.count)
    return np.sum(y * x)


def count():
    STATE.count += 1


def counts_in_a_helper(x):
    y = x * STATE.w
    count()
    return np.sum(y * x * STATE.w)


def prepare():
    W[:] = 2.0


def is_prepared_first(x):
    prepare()
    return np.sum(W * x * x)


@pytest.mark.parametrize(
    ("function", "factor"),
    [
        (reads_constants_in_a_helper, np.array([2.0, 2.0, 1.0, 1.0])),
        (counts_and_logs, 1.0),
        (counts_in_a_helper, 1.0),
        (is_prepared_first, 2.0),
    ],
)
def test_what_changes_nothing_that_is_read_again(function, factor):
    x = np.array([0.3, 0.5, 0.2, 0.7])
    np.testing.assert_allclose(grad(function)(x), 2 * x * factor)


class Told:
    """Each of its special methods changes an array of its own."""

    def __init__(self):
        self.w = np.ones(4)

    @property
    def told(self):
        self.w += 1.0
        return 2.0

    def __bool__(self):
        self.w += 1.0
        return True

    def __len__(self):
        self.w += 1.0
        return 3

    def __iter__(self):
        self.w += 1.0
        return iter([1.0, 2.0])

    def __contains__(self, item):
        self.w += 1.0
        return True

    def __enter__(self):
        self.w += 1.0

    def __exit__(self, *details):
        return False

    @staticmethod
    def of_the_class():
        TOLD.w[:] = 3.0


TOLD = Told()


def told_nothing():
    TOLD.w[:] = 1.0
    cached.cache_clear()


FILLED = functools.partial(np.copyto, TOLD.w)


@functools.lru_cache
def cached(k):
    TOLD.w[:] = 3.0
    return 2.0


@contextlib.contextmanager
def managed():
    TOLD.w[:] = 3.0
    yield 1.0


@pytest.mark.parametrize(
    "statement",
    [
        "z = TOLD.told", "y = y * TOLD.told", "y = y * len(TOLD)", "y = y * (1.0 in TOLD)",
        "if TOLD: y = y * 2", "for v in TOLD: y = y * v", "with TOLD: y = y * 2",
        "TOLD.of_the_class()", "FILLED(2.0)", "y = y * cached(1)", "assert cached(1)",
        "y = y * float(f'{cached(1)}')", "y = y * sum(cached(k) for k in [1, 2])",
        "y = y * max([1.0, 2.0], key=lambda v: cached(v))", "y = y * (lambda: cached(1))()",
        "while cached(1) < 1: pass", "z = [0]; z[int(cached(1)) - 2] = 1",
        "with managed() as q: y = y * q",
    ],
)  # fmt: skip
def test_code_that_is_run_without_being_called_by_name(statement, tmp_path):
    text = f"def program(x):\n    y = x * TOLD.w\n    {statement}\n    return np.sum(y * x)\n"
    program = _program(tmp_path, text)
    x = np.array([0.3, 0.5, 0.2, 0.7])
    refused_or_right(program, x, match="change", begin=told_nothing)


class Held:
    k = 1.0
    n = 1


class Derived(Held):
    pass


HELD, SPACE, QUEUE = Held(), types.SimpleNamespace(k=1.0), collections.deque([1.0, 2.0])
MODULE = types.ModuleType("MODULE")
MODULE.k = 1.0
MATRIX = np.ones((2, 2))
ROW = MATRIX[0]


def assign_attribute():
    HELD.k = HELD.k + 1.0


def add_to_attribute():
    HELD.k += 1.0


def by_setattr():
    setattr(HELD, "k", HELD.k + 1.0)  # noqa: B010


def by_the_dict():
    HELD.__dict__["k"] = HELD.k + 1.0


def of_the_class():
    Held.k += 1.0


def add_inside():
    HELD.inner.k += 0.5


def more_of_the_class():
    Held.n += 1


def lend():
    return W


def lend_row(i):
    return MATRIX[i]


def lend_part(a):
    return a[:1]


def by_what_is_lent():
    w = lend()
    w += 1.0


def by_a_row_that_is_lent():
    lend_row(0)[0] += 1.0


def by_a_part_that_is_lent():
    lend_part(W)[0] += 1.0


def of_the_space():
    SPACE.k += 1.0


def of_the_module():
    MODULE.k += 1.0


IN_LOOPS = [
    ("assign_attribute()", "HELD.k"), ("add_to_attribute()", "HELD.k"), ("by_setattr()", "HELD.k"),
    ("by_the_dict()", "HELD.k"), ("of_the_class()", "Held.k"), ("of_the_class()", "Derived.k"),
    ("of_the_space()", "SPACE.k"), ("of_the_module()", "MODULE.k"),
    ("QUEUE.append(3.0)", "QUEUE[-1]"),
    ("put = QUEUE.append; put(3.0)", "QUEUE[-1]"), ("MATRIX[0, 0] += 1.0", "ROW[0]"),
    ("W.__iadd__(1.0)", "W[0]"), ("operator.setitem(W, 0, 3.0)", "W[0]"),
    ("W.reshape(-1)[0] += 1.0", "W[0]"), ("np.ravel(W)[0] += 1.0", "W[0]"),
    ("add_inside()", "HELD.inner.k"), ("by_what_is_lent()", "W[0]"), ("lend()[0] += 1.0", "W[0]"),
    ("w = lend(); w += 1.0", "W[0]"), ("by_a_row_that_is_lent()", "MATRIX[0, 0]"),
    ("by_a_part_that_is_lent()", "W[0]"), ("lend_part(W)[0] += 1.0", "W[0]"),
    ("np.einsum('i->i', W)[0] += 0.5", "W[0]"), ("list.append(SEEN, 2.0)", "len(SEEN)"),
]  # fmt: skip


@pytest.fixture
def attributes():
    def put():
        put_back()
        HELD.__dict__.clear()
        HELD.inner, Held.n = types.SimpleNamespace(k=1.0), 1
        Held.k = SPACE.k = MODULE.k = 1.0
        QUEUE.clear()
        QUEUE.extend([1.0, 2.0])
        MATRIX[:] = 1.0
        SEEN.clear()

    put()
    yield put
    put()


@pytest.mark.parametrize(("change_it", "read"), IN_LOOPS)
def test_what_is_changed_in_a_loop_that_reads_it(change_it, read, tmp_path, attributes):
    text = (
        f"def program(x):\n    for _ in range(3):\n        x = np.sin(x * {read})\n"
        f"        {change_it}\n    return x\n"
    )
    _agrees_or_is_refused(_program(tmp_path, text), attributes)


@pytest.mark.parametrize(("change_it", "read"), IN_LOOPS)
def test_what_is_changed_in_straight_lines(change_it, read, tmp_path, attributes):
    first = f"def program(x):\n    y = np.sin(x * {read})\n"
    text = f"{first}    {change_it}\n    return y * y * {read}\n"
    _agrees_or_is_refused(_program(tmp_path, text), attributes)


def _agrees_or_is_refused(program, attributes):
    try:
        found = grad(program)(0.7)
    except UnsupportedSyntaxError:
        return
    values = []
    for point in (0.7 + 1e-5, 0.7 - 1e-5):
        attributes()
        values.append(program(point))
    assert found == pytest.approx((values[0] - values[1]) / 2e-5, rel=1e-6)


def keeps_attributes(x):
    for _ in range(3):
        x = np.sin(x * HELD.k * HELD.inner.k)
        if HELD.k > 2.5:
            x = x * HELD.k
        for _ in range(int(Held.n)):
            x = x * 1.1
        add_to_attribute()
        add_inside()
        more_of_the_class()
    return x


def test_attributes_that_change_in_a_loop_are_kept(attributes):
    found = grad(keeps_attributes)(0.7)
    values = []
    for point in (0.7 + 1e-5, 0.7 - 1e-5):
        attributes()
        values.append(keeps_attributes(point))
    assert found == pytest.approx((values[0] - values[1]) / 2e-5, rel=1e-6)


def steps_that_read_an_attribute(x):
    for _ in checkpointed(range(4), snapshots=1):
        x = np.sin(x * Held.k)
    of_the_class()
    return x


def test_steps_that_are_run_again_read_an_attribute(attributes):
    found = grad(steps_that_read_an_attribute)(0.7)
    values = []
    for point in (0.7 + 1e-5, 0.7 - 1e-5):
        attributes()
        values.append(steps_that_read_an_attribute(point))
    assert found == pytest.approx((values[0] - values[1]) / 2e-5, rel=1e-6)


def asked_before_arrays_are_made(x):
    y = x * 2.0
    if cached(2) > 0.0:
        z = np.ones(4) * y
    else:
        z = np.zeros(4)
    for k in range(int(cached(3))):
        z = z + k * y
    return np.sum(z)


def test_a_test_that_changes_what_nobody_reads():
    cached.cache_clear()
    x = np.array([0.3, 0.5, 0.2, 0.7])
    np.testing.assert_allclose(grad(asked_before_arrays_are_made)(x), 4.0 * np.ones(4))


def looked_up(w):
    return shortened(w)[0]


def shortened(w):
    return [v for v in w if v > 0.0]


def calls_for_a_number(x):
    return x * looked_up(LEVELS) ** 2


LEVELS = np.array([-1.0, 0.5, 2.0])
