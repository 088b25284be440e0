"""The oracles are themselves right: they agree with each other and with HIPS autograd."""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
import types
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.language import oracle
from tests.language.corpus import REGISTRY, Program, collect

pytestmark = pytest.mark.heavy  # a sweep

PROGRAMS = collect()


@pytest.mark.parametrize("entry", PROGRAMS, ids=lambda entry: entry.name)
def test_program_runs_and_its_differences_converge(entry: Program) -> None:
    for point in entry.points:
        args = oracle.copied(list(point.args))
        kwargs = oracle.copied(dict(point.kwargs))
        value = entry.function(*args, **kwargs)
        assert oracle.leaves(value) or isinstance(value, int), "the result holds no number"
        wrt = entry.wrt_at(point)
        assert wrt, "no argument holds a float"
        seed = oracle.seed_for(value)
        found = oracle.gradients(entry.function, point.args, point.kwargs, wrt, seed=seed)
        if not entry.analytic or any(map(np.iscomplexobj, oracle.leaves(list(point.args)))):
            continue
        exact = oracle.gradients(
            entry.function, point.args, point.kwargs, wrt, seed=seed, analytic=True
        )
        for pairs in zip(found, exact, strict=True):
            for differences, complex_step in zip(*pairs, strict=True):
                np.testing.assert_allclose(differences, complex_step, rtol=1e-8, atol=1e-9)


def ported(topic: str, numpy: Any) -> types.ModuleType:
    """The module of a topic with another library in place of NumPy."""
    path = Path(__file__).parent / "programs" / f"{topic}.py"
    text = path.read_text(encoding="utf-8").replace("import numpy as np\n", "\n")
    module = types.ModuleType(f"ported.{topic}")
    sys.modules[module.__name__] = module  # dataclasses look there
    vars(module)["np"] = numpy
    exec(compile(text, str(path), "exec"), vars(module))
    for key in [key for key in REGISTRY if key.startswith("ported.")]:
        del REGISTRY[key]
    return module


# HIPS autograd 1.8 sums the wrong elements for np.tile of a matrix; complex step agrees with ours.
# The others write to an output by position, or by `setattr`.
AUTOGRAD_IS_WRONG = {
    "caught_powers.power_or_a_bound",  # its boxes raise no OverflowError: another clause runs
    "caught_powers.returned_from_the_body",
    "clauses_by_type.taken_for_a_number",  # its boxes are no numbers: another clause runs
    "decided_by_types.by_itself",
    "found.mask_beside_symbolic_sizes",  # it ignores `where=` of a mean
    "ndarray.repeats",
    "rules_of_numpy.directions_of_complex_numbers",  # the sign of a complex number turns with it
    "adversary_writers.round_out_positional",
    "adversary_writers.modf_one_out",
    "adversary_writers.ufunc_out_in_stars",
    "adversary_writers.setattr_real",
}


def changes_memory(function: Any) -> bool:
    """Whether a function, or one of its module's that it names, updates something in place.

    autograd differentiates no assignment to arrays, and is wrong about a buffer that is used again.
    """
    module = sys.modules[function.__module__]
    waiting, seen = [function], set()
    while waiting:
        try:
            tree = ast.parse(textwrap.dedent(inspect.getsource(waiting.pop())))
        except (OSError, SyntaxError):  # made by a call, or inside an expression
            return True
        for node in ast.walk(tree):
            if isinstance(node, ast.AugAssign):
                return True
            if isinstance(node, ast.keyword) and (node.arg or "").startswith(("out", "overwrite")):
                return True
            if isinstance(node, (ast.Subscript, ast.Attribute)):
                if isinstance(node.ctx, ast.Store) or getattr(node, "attr", "") in CHANGING:
                    return True
            own = getattr(module, node.id, None) if isinstance(node, ast.Name) else None
            if inspect.isfunction(own) or inspect.isclass(own):
                if own.__module__ == module.__name__ and own not in seen:
                    seen.add(own)
                    waiting.append(own)
    return False


CHANGING = frozenset(
    "fill sort put itemset copyto at partition resize setfield place putmask fill_diagonal".split()
)


@np.errstate(all="ignore")  # what NumPy warns of, and which tests may, is asked elsewhere
def test_differences_agree_with_autograd() -> None:
    autograd = pytest.importorskip("autograd")
    agreed = 0
    modules = {t: ported(t, autograd.numpy) for t in sorted({e.topic for e in PROGRAMS})}
    for entry in PROGRAMS:
        port = getattr(modules[entry.topic], entry.function.__name__)
        for point in entry.points:
            value = entry.function(*oracle.copied(list(point.args)), **point.kwargs)
            real_number = oracle.is_leaf(value) and not np.ndim(value) and np.isrealobj(value)
            if not real_number or entry.refusable or entry.name in AUTOGRAD_IS_WRONG:
                continue
            if changes_memory(entry.function) or entry.topic.startswith("adversary"):
                continue  # adversaries hide what they change
            for place, (name, argument) in enumerate(entry.arguments(point).items()):
                if not oracle.is_leaf(argument) or name not in entry.wrt_at(point):
                    continue
                try:
                    with warnings.catch_warnings():
                        warnings.simplefilter("ignore")
                        args = oracle.copied(list(point.args))
                        theirs = autograd.grad(port, place)(*args, **point.kwargs)
                except Exception:
                    continue  # autograd does not know the construct; the count guards the test
                if entry.topic == "masks_in_loops" and np.any(np.isnan(theirs)):
                    continue  # it is NaN where a mask leaves out an infinite slope
                ((ours, *_),) = oracle.gradients(entry.function, point.args, point.kwargs, [name])
                close = 1e-4 if np.asarray(argument).dtype == np.float32 else 1e-8
                theirs = np.conj(theirs)
                np.testing.assert_allclose(
                    ours, theirs, rtol=close, atol=close, err_msg=f"{entry.name} wrt {place}"
                )
                agreed += 1
    assert agreed > 500, agreed


def test_differences_refuse_a_kink() -> None:
    with pytest.raises(oracle.OracleError, match="disagree"):
        oracle.gradients(lambda x: abs(x - 0.7), [0.7001], {}, [0])


def test_structures_come_back_whole() -> None:
    value = {"a": [1.0, (np.ones(2), 3)], "b": "text", "c": np.float32(2)}
    copy = oracle.copied(value)
    oracle.assert_same(copy, value)
    assert copy["a"][1][0] is not value["a"][1][0]
    with pytest.raises(AssertionError):
        oracle.assert_same({**copy, "b": "other"}, value)


@pytest.mark.parametrize("wrong", [[1.0, 2.0], (1.0,), (1.0, np.float32(2.0)), (1.0, 2.1)])
def test_compare_refuses_other_structures_and_numbers(wrong: Any) -> None:
    expected = [np.array(1.0), np.array(2.0)]
    oracle.compare((1.0, 2.0), (0.3, 0.4), expected, 1e-9)
    with pytest.raises(AssertionError):
        oracle.compare(wrong, (0.3, 0.4), expected, 1e-9)
