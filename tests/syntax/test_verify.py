"""Every invariant is tripped by a tree that breaks it, and by none that does not."""

from __future__ import annotations

import gast
import pytest

from autodiff.errors import InternalError
from autodiff.normalize.control import control
from autodiff.normalize.desugar import desugar
from autodiff.syntax.comment import comment
from autodiff.syntax.names import Names, all_names
from autodiff.syntax.origin import Origin
from autodiff.syntax.verify import STAGES, verify

ORIGIN = Origin("model.py", 3, 4, 3, 9, "y = x")


def function(body: str) -> gast.FunctionDef:
    lines = "\n    ".join(body.split("\n"))
    tree = gast.parse(f"def f(x, n):\n    {lines}\n").body[0]
    for node in gast.walk(tree):
        if isinstance(node, gast.stmt):
            node.origin = ORIGIN
    return tree


NORMAL = """y = 0.0
for k in reversed(range(n)):
    t = x[k + 1]
    (a, b) = f(*t, k=t)
    y = np.sin(t)
    y += np.pi
    x[k] = y
    x.field = 1
    stop = y > 3 and n
    if stop:
        break
while n > 3 or n:
    with np.errstate(all='ignore') as e:
        try:
            n = n - 1
        except ValueError:
            pass
        finally:
            n = (n, *t)
if n:
    n = {'a': n, **t}
else:
    n = [n]
g = lambda t: t + 1 + n
z = [i * i + 1 for i in range(n)]
print(n + 1)
def inner(u):
    for v, w in u:
        return u + v + (q := 3)
return y"""


@pytest.mark.parametrize("stage", STAGES)
def test_a_tree_in_normal_form_passes(stage: str) -> None:
    verify(function(NORMAL), stage)


@pytest.mark.parametrize("stage", STAGES)
def test_no_value_need_be_returned(stage: str) -> None:
    verify(function("x[0] = n\nreturn"), stage)


# invariant: (first stage at which it holds, a body that breaks it, what is said)
BROKEN = {
    "has_plain_targets": [
        ("desugar", "a = b = n\nreturn a", "several targets"),
        ("desugar", "a, (b, c) = n\nreturn a", "more than names"),
        ("desugar", "a, b[0] = n\nreturn a", "more than names"),
        ("desugar", "[a, b] = n\nreturn a", "a List is assigned"),
    ],
    "has_no_sugar": [
        ("desugar", "a: int = n\nreturn a", "AnnAssign is left"),
        ("desugar", "match n:\n    case 1:\n        pass\nreturn n", "Match is left"),
        ("desugar", "a = f(b := n)\nreturn a", "assigns a name"),
        ("desugar", "while (b := n) > 3:\n    pass\nreturn b", "assigns a name"),
        ("desugar", "with f(b := n):\n    pass\nreturn b", "assigns a name"),
    ],
    "has_counting_loops": [
        ("desugar", "for k in n:\n    pass\nreturn n", "does not run over a range"),
        ("desugar", "for k in reversed(n):\n    pass\nreturn n", "does not run over a range"),
        ("desugar", "for k in n.range():\n    pass\nreturn n", "does not run over a range"),
        ("desugar", "for a, b in range(n):\n    pass\nreturn n", "is not a name"),
    ],
    "has_no_loop_else": [
        ("control", "for k in range(n):\n    pass\nelse:\n    n = 1\nreturn n", "has an else"),
        ("control", "while n:\n    n = 0\nelse:\n    n = 1\nreturn n", "has an else"),
    ],
    "returns_last": [
        ("control", "y = x", "no return"),
        ("control", "if x:\n    return x\nreturn n", "not the last"),
        ("control", "return x + n", "not an atom"),
    ],
    "breaks_last": [
        ("control", "while n:\n    continue\nreturn n", "continue"),
        ("control", "while n:\n    break\nreturn n", "a break"),
        ("control", "while n:\n    if n:\n        break\n    n = 1\nreturn n", "a break"),
        ("control", "while n:\n    if n > 1:\n        break\nreturn n", "a break"),
        ("control", "while n:\n    if n:\n        n = 1\n        break\nreturn n", "a break"),
        (
            "control",
            "while n:\n    if n:\n        break\n    else:\n        n = 1\nreturn n",
            "a break",
        ),
    ],
    "has_one_operation": [
        ("anf", "y = x + n * 2\nreturn y", "a BinOp is an operand"),
        ("anf", "y = -(x + n)\nreturn y", "is an operand"),
        ("anf", "y = f(x + n)\nreturn y", "is an operand"),
        ("anf", "y = f(*(x + n))\nreturn y", "is an operand"),
        ("anf", "y = f(k=x[0])\nreturn y", "a Subscript is an operand"),
        ("anf", "y = f(x)(n)\nreturn y", "a Call is an operand"),
        ("anf", "y = f(x).m(n)\nreturn y", "a Call is an operand"),
        ("anf", "y = f(x)[0]\nreturn y", "a Call is an operand"),
        ("anf", "y = (x, x + n)\nreturn y", "is an operand"),
        ("anf", "y = {'a': x + n}\nreturn y", "is an operand"),
        ("anf", "x[0] = x + n\nreturn x", "is not an atom"),
        ("anf", "x += x + n\nreturn x", "is not an atom"),
    ],
    "has_atomic_bases": [
        ("anf", "f(x)[0] = n\nreturn x", "a part of a Call is assigned"),
        ("anf", "(x + n)[0] = n\nreturn x", "a part of a BinOp is assigned"),
        ("anf", "[x][0].a += n\nreturn x", "a part of a Subscript is assigned"),
    ],
}
ORDER = ["desugar", "control", "anf"]


@pytest.mark.parametrize(
    ("invariant", "stage", "body", "sentence"),
    [(name, *case) for name, cases in BROKEN.items() for case in cases],
)
def test_broken(invariant: str, stage: str, body: str, sentence: str) -> None:
    tree = function(body)
    for earlier in ORDER[: ORDER.index(stage)]:
        verify(tree, earlier)
    for later in ORDER[ORDER.index(stage) :]:
        with pytest.raises(InternalError, match=sentence) as caught:
            verify(tree, later)
        assert f"after {later}" in str(caught.value)
        assert invariant in caught.value.why
        assert caught.value.origin == ORIGIN
    verify(tree, "generated")


def broken_always(change: str) -> gast.FunctionDef:
    tree = function("y = x\nif n:\n    y = n\nfor k in range(n):\n    y += k\nreturn y")
    if change == "origin":
        tree.body[1].body[0].origin = None
    elif change == "empty":
        tree.body[1].body = []
    elif change == "only comments":
        tree.body[1].body = [comment("nothing")]
    elif change == "stored":
        tree.body[0].targets[0].ctx = gast.Load()
    elif change == "updated":
        tree.body[2].body[0].target.ctx = gast.Load()
    elif change == "counter":
        tree.body[2].target.ctx = gast.Load()
    elif change == "loaded":
        tree.body[0].value.ctx = gast.Store()
    elif change == "tested":
        tree.body[1].test.ctx = gast.Store()
    elif change == "decorator":
        tree.decorator_list = [gast.parse("d").body[0].value]
    return tree


ALWAYS = {
    "empty": ("has_full_blocks", "is empty"),
    "only comments": ("has_full_blocks", "is empty"),
    "stored": ("has_right_contexts", "not marked as stored"),
    "updated": ("has_right_contexts", "not marked as stored"),
    "counter": ("has_right_contexts", "not marked as stored"),
    "loaded": ("has_right_contexts", "x is read"),
    "tested": ("has_right_contexts", "n is read"),
    "decorator": ("is_function", "decorator"),
}


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("change", ALWAYS)
def test_broken_at_every_stage(stage: str, change: str) -> None:
    invariant, sentence = ALWAYS[change]
    verify(broken_always("nothing"), stage)
    with pytest.raises(InternalError, match=sentence) as caught:
        verify(broken_always(change), stage)
    assert invariant in caught.value.why


def test_what_is_no_function() -> None:
    with pytest.raises(InternalError, match="a Module"):
        verify(gast.parse("x = 1"), "desugar")


@pytest.mark.parametrize("stage", ORDER)
def test_origins_may_be_missing_in_generated_code_only(stage: str) -> None:
    tree = broken_always("origin")
    with pytest.raises(InternalError, match="has no origin"):
        verify(tree, stage)
    verify(tree, "generated")


def test_every_invariant_is_tripped_above() -> None:
    tripped = {*BROKEN, *(name for name, _ in ALWAYS.values()), "has_origins"}
    assert {check.__name__ for checks in STAGES.values() for check in checks} == tripped
    assert all(check.__doc__ for checks in STAGES.values() for check in checks)


def test_what_the_passes_make_is_accepted() -> None:
    tree = function(
        "total = last = 0.0\n"
        "for i, (a, b) in enumerate(zip(x, n)):\n"
        "    if a > 3: continue\n"
        "    total += a * b if i else b\n"
        "    if total > 4: return total\n"
        "else:\n"
        "    last: float = (z := total)\n"
        "return total or last"
    )
    names = Names(all_names(tree))
    tree = desugar(tree, names)
    verify(tree, "desugar")
    verify(control(tree, names), "control")
