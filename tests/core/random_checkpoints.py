"""Random programs with checkpointed loops: `python -m tests.core.random_checkpoints 0 500` (seeds).

Arrays, lists and dicts that are one memory before, in and behind the loop, or become one; calls of
a `checkpoint` function that gives what it is given. Judged against the same program that keeps
everything, and against differences of that.
"""

from __future__ import annotations

import collections
import importlib.util
import random
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from autodiff import AutodiffError, grad

HEAD = """import numpy as np
from autodiff import checkpoint, checkpointed


def combine(u, v):
    {}
    {}
    return {}


again = {}(combine)


def f(x, n):
    a = x * 1.1
    b = {}
    c = {}
    xs = [{}, {}]
    d = {{"k": {}}}
    s = 0.0
"""
PLAIN = ("u = np.sin(u) * v", "v = u + v * 0.5", "u, v = v, u", "v = v.copy()", "u = u[::-1]")
GIVEN = {
    "u * v": "{} = again({}, {}) * 0.9",
    "u": "{} = again({}, {})",
    "u, v": "g, h = again({1}, {2}); {0} = g + h * 0.5",
    "v, v": "g, h = again({1}, {2}); {0} = g - h * 0.5",
    "{'p': u, 'q': v * 2.0}": "h = again({1}, {2}); {0} = h['p'] + h['q'] * 0.5",
}
STEPS = (
    *("{0} = {1} * {2} + 0.1", "{0} = {1} * w[t % 4]", "{0} = {1}", "{0} = {1}.copy()"),
    *("{0}[1:] = {1}[:-1] * 0.8 + {0}[1:] * 0.1", "{0}[t % 4] = {1}[(t + 1) % 4] * {2}[0]"),
    *("{0}, {1} = {1}, {0}", "{0} *= np.cos({1})", "{0} = {1}[::-1]", "xs.append({0} * 0.5)"),
    *("s = s + {0}[t % 4] * {1}[1]", "xs[0], xs[1] = xs[1], xs[0]", "d['k'] = xs[0]"),
)
BEHIND = ("{0}[0] = {1}[1] * 0.7", "{0}[:2] = 0.3", "{0} = {1} * {0}", "s = s + {0}[3] * {1}[0]")
RESULT = "np.sum(a * 1.1 + b * b * 0.5 + c * a) + np.sum(xs[0] * xs[-1] + d['k'] ** 2) + s * s"


def program(seed: int) -> tuple[str, str]:
    """A program with checkpoints, and the same without."""
    drawn = random.Random(seed)
    first, *others = ["a", "a.copy()", "np.cos(x)", "a[::-1]"], ["a", "b", "x * 0.5", "b * a"]
    given = drawn.choice(list(GIVEN))
    parts = [drawn.choice(PLAIN), drawn.choice(PLAIN), given, "{}", drawn.choice(first)]
    parts += [drawn.choice(others[0]) for _ in range(4)]
    lines = [HEAD.format(*parts), "    w = x * 0.7\n"]
    held = drawn.random() < 0.6
    names = ["a", "b", "c", *(("xs[0]", "xs[1]", "d['k']") if held else ())]

    def drawn_from(forms: tuple[str, ...]) -> str:
        found = [form for form in forms if held or not ("xs" in form or "d[" in form)]
        return drawn.choice(found).format(*(drawn.choice(names) for _ in range(3)))

    nested = drawn.random() < 0.3
    start = "    for k in range(2):\n        " if nested else "    "
    indent = "            " if nested else "        "
    lines.append(f"{start}for t in {{}}:\n")
    for _ in range(drawn.randint(1, 3)):
        step = drawn_from((GIVEN[given],)) if drawn.random() < 0.3 else drawn_from(STEPS)
        test = f"if t % 2:\n{indent}    " if drawn.random() < 0.2 and ";" not in step else ""
        lines.append(f"{indent}{test}{step}\n")
    lines += [f"    {drawn_from(BEHIND)}\n" for _ in range(drawn.randint(0, 3))]
    text = "".join(lines).replace("{'p'", "{{'p'").replace("2.0}", "2.0}}")
    text = text.replace('{"k"', '{{"k"').replace("}\n    s =", "}}\n    s =")
    text += f"    return {RESULT}\n"
    plain = "(lambda own: own)", "range(n)"
    return text.format("checkpoint", "checkpointed(range(n), snapshots=2)"), text.format(*plain)


def loaded(text: str, file: Path) -> Any:
    """The function `f` of a text."""
    file.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None and spec.loader is not None  # noqa: PT018
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    return module.f


def judged(seed: int, folder: Path) -> str:
    """What becomes of a program: right, refused, wrong, or a function that is none there."""
    texts = program(seed)
    kept, plain = (
        loaded(text, folder / f"checkpoints_{seed}_{k}.py") for k, text in enumerate(texts)
    )
    x, n = np.array([0.4, 0.9, -0.3, 0.7]), 5
    try:
        value = plain(x.copy(), n)
    except (ValueError, IndexError):
        return "no function"
    if not abs(value) < 1e3:
        return "no function"
    steps = 1e-6 * np.eye(4)
    differences = np.array([(plain(x + s, n) - plain(x - s, n)) / 2e-6 for s in steps])
    if not np.max(np.abs(differences)) < 1e4:
        return "no function"
    try:
        expected = grad(plain)(x.copy(), n)
        found = grad(kept)(x.copy(), n)
    except AutodiffError:
        return "refused"
    scale = 1.0 + np.max(np.abs(expected))
    near = np.allclose(expected / scale, differences / scale, atol=1e-5)
    return "right" if near and np.allclose(found, expected, rtol=1e-9, atol=1e-9) else "wrong"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        seeds = range(*map(int, sys.argv[1:3]))
        outcomes = {seed: judged(seed, Path(place)) for seed in seeds}
    print(collections.Counter(outcomes.values()))
    print([seed for seed, found in outcomes.items() if found == "wrong"])
