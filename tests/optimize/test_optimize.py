"""All passes together, on what the compiler generates."""

from __future__ import annotations

from autodiff.optimize.optimize import optimize
from autodiff.optimize.options import Options
from autodiff.syntax.emit import emit
from tests.optimize.running import facts_of, tree_of

HORNER = """
def horner_grad(a, x):
    tape = Tape()
    ''
    'Forward sweep'
    y = 0.0
    for k in range(len(a)):
        tape.push(y, 1)
        t_1 = y * x
        t_2 = a[k]
        y = t_1 + t_2
    z = 2.0 * y
    ''
    'Reverse sweep'
    z_bar = 1.0
    'z = 2.0 * y'
    y_bar = z_bar * 2.0
    a_bar = np.zeros_like(a)
    x_bar = 0.0
    w_bar = np.zeros_like(a)
    for k in reversed(range(len(a))):
        y = tape.pop(1)
        'y = y * x + a[k]'
        t_1_bar = 1.0 * y_bar
        t_2_bar = 1.0 * y_bar
        a_bar[k] += t_2_bar
        w_bar[k] += t_2_bar
        x_bar += t_1_bar * y
        y_bar = t_1_bar * x
    return a_bar, x_bar
"""


def test_horner() -> None:
    facts = facts_of("t_1 t_2 t_1_bar t_2_bar z_bar")
    text = emit(optimize(tree_of(HORNER), facts)).text
    assert (
        text
        == """\
def horner_grad(a, x):
    tape = Tape()

    # Forward sweep
    y = 0.0
    for k in range(len(a)):
        tape.push(y)
        y = y * x + a[k]

    # Reverse sweep
    # z = 2.0 * y
    y_bar = 2.0
    a_bar = np.zeros_like(a)
    x_bar = 0.0
    for k in reversed(range(len(a))):
        y = tape.pop()
        # y = y * x + a[k]
        a_bar[k] += y_bar
        x_bar += y_bar * y
        y_bar = y_bar * x
    return a_bar, x_bar
"""
    )


def test_nothing_to_do() -> None:
    tree = tree_of("def f(x):\n    return x")
    assert optimize(tree, facts_of()) is tree


def test_all_switched_off() -> None:
    tree = tree_of(HORNER)
    off = Options(
        fold=False, propagate=False, dead_code=False, merge_pushes=False, substitute=False
    )
    assert optimize(tree, facts_of(), off) is tree
