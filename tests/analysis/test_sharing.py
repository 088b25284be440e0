"""Who shares memory with whom when a function ends."""

from __future__ import annotations

import pytest

from autodiff.analysis.sharing import sharing
from tests.analysis.given import function, known

# The body of a function, and the pairs of names that may share memory at its end.
CASES = {
    "nothing": ("p = x + y", ""),
    "alias": ("p = x", "p-x"),
    "aliases of one array share": ("p = x\nq = x", "p-q p-x q-x"),
    "view": ("p = x[1:]", "p-x"),
    "view of a view": ("p = x[1:]\nq = p[:-1]", "p-q p-x q-x"),
    "row": ("p = a[i]", "a-p"),
    "element": ("p = x[i]", ""),
    "transposed": ("p = a.T", "a-p"),
    "reshaped": ("p = a.reshape(-1)", "a-p"),
    "raveled by a function": ("p = np.ravel(a)", "a-p"),
    "perhaps no copy": ("p = np.asarray(x)", "p-x"),
    "no copy asked for": ("p = x.astype(float, copy=False)", "p-x"),
    "shape only": ("p = x.shape", ""),
    "fresh by copy": ("p = x.copy()", ""),
    "fresh by a function": ("p = np.array(x)", ""),
    "fresh by arithmetic": ("p = 1.0 * x", ""),
    "fresh by a ufunc": ("p = np.sin(x)", ""),
    "fresh like": ("p = np.zeros_like(x)", ""),
    "into a buffer": ("p = np.sin(x, out=y)", "p-x p-y"),
    "fancy index": ("p = x[index]", ""),
    "mask": ("p = x[mask]", ""),
    "list as index": ("p = x[[0, 1]]", ""),
    "index of unknown kind": ("p = x[mystery]", "p-x"),
    "unknown value": ("p = mystery", "mystery-p"),
    "swap": ("p = x.copy()\nq = p\np = y.copy()", ""),
    "swap of two names": ("h = x\nx = y\ny = h", "h-y"),
    "swap in a loop": (
        """
        p = x.copy()
        q = y.copy()
        for k in range(n):
            h = p
            p = q
            q = h
        """,
        "h-q",
    ),
    "alias on one branch": (
        """
        if flag:
            p = x
        else:
            p = y.copy()
        """,
        "p-x",
    ),
    "alias of one or the other": (
        """
        if flag:
            p = x
        else:
            p = y
        """,
        "p-x p-y",
    ),
    "conditional expression": ("p = x if flag else y", "p-x p-y"),
    "rebound to fresh memory": ("p = x\np = p + 1.0", ""),
    "rebound in a loop, read before": (
        """
        p = x
        for k in range(n):
            q = p
            p = p + 1.0
        """,
        "p-x q-x",  # not p-q
    ),
    "alias of the last iteration": (
        """
        p = x.copy()
        q = x.copy()
        for k in range(n):
            q = p
            p = y.copy()
        """,
        "",
    ),
    "alias carried around": (
        """
        p = x
        for k in range(n):
            q = p
        """,
        "p-q p-x q-x",
    ),
    "stored into an array": ("x[0] = t\nx[1:] = y[1:]", ""),
    "stored into a list": ("us[0] = x", "us-x"),
    "display": ("p = [x, y]", "p-x p-y"),
    "tuple": ("p = (x, t)", "p-x"),
    "item of a list": ("p = us[i]", "p-us"),
    "items of one list": ("p = us[0]\nq = us[1]", "p-q p-us q-us"),
    "list of numbers": ("p = numbers[i]", ""),
    "list of numbers, renamed": ("p = numbers", "numbers-p"),
    "dict": ("p = d['u']", "d-p"),
    "attribute of an object": ("p = o.u", "o-p"),
    "stored attribute": ("o.u = x", "o-x"),
    "unpacked": ("p, q = pair", "p-pair p-q pair-q"),
    "append": ("us.append(x)", "us-x"),
    "append reaches aliases": ("p = us\nus.append(x)", "p-us p-x us-x"),
    "joined lists": ("p = [x] + us", "p-us p-x"),
    "a copy of a list holds the same arrays": ("p = list(us)", "p-us"),
    "unknown function": ("p = call(x, y)", "p-x p-y"),
    "unknown function keeps arrays apart": ("call(x, y)", ""),
    "unknown function with a list": ("call(x, us)", "us-x"),
    "augmented": ("x += y", ""),
    "handler": (
        """
        p = x
        try:
            p = y
            p = x + 1.0
        except ValueError:
            q = p
        """,
        "p-q p-x p-y q-x q-y",
    ),
    "bound by with": ("with call(x) as p:\n    q = p", "p-q p-x q-x"),
    "nested function": ("def p():\n    return x", "p-x"),
}


def pairs(body: str, caller: bool = False) -> str:
    tree = function(body)
    state = sharing(tree, known(tree)).after[id(tree.body[-1])]
    found = {
        f"{min(left, right)}-{max(left, right)}"
        for left, partners in state.items()
        for right in partners
        if caller or "@" not in left + right
    }
    return " ".join(sorted(found))


@pytest.mark.parametrize(("body", "expected"), CASES.values(), ids=CASES)
def test_pairs_at_the_end(body: str, expected: str) -> None:
    assert pairs(body) == expected


@pytest.mark.parametrize("body", [body for body, _ in CASES.values()], ids=CASES)
def test_sharing_is_symmetric_and_not_reflexive(body: str) -> None:
    tree = function(body)
    shares = sharing(tree, known(tree))
    for state in [*shares.before.values(), *shares.after.values()]:
        for name, partners in state.items():
            assert partners and name not in partners
            assert all(name in state[other] for other in partners)


@pytest.mark.parametrize(
    ("body", "name", "expected"),
    [
        ("p = x", "x", "p x@"),
        ("x = y.copy()", "x", ""),
        ("x = y.copy()\np = x", "x", "p"),
        ("p = x[1:]\nx = y.copy()", "p", "x@"),
        ("x = y", "x", "y y@"),
        ("p = i", "i", ""),
    ],
)
def test_what_the_caller_holds(body: str, name: str, expected: str) -> None:
    tree = function(body)
    state = sharing(tree, known(tree)).after[id(tree.body[-1])]
    assert sorted(state.get(name, ())) == expected.split()


def test_partners_are_those_before_the_statement() -> None:
    tree = function("p = x\np = y\nq = p")
    shares = sharing(tree, known(tree))
    found = [sorted(shares.partners(s, "p") - {"x@", "y@"}) for s in tree.body]
    assert found == [[], ["x"], ["y"]]
    assert shares.partners(function("p = x").body[0], "p") == frozenset()
