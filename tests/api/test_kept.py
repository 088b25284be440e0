"""Derivatives that are kept from one process to the next are those that would be compiled."""

import importlib
import importlib.util
import linecache
import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import autodiff
from autodiff.__main__ import main
from autodiff.derivatives import cache, folder, kept
from autodiff.pipeline import compiler
from autodiff.rules import extended

PROGRAM = """
import math
import numpy as np
from autodiff import grad, hessian, jvp, value_and_grad, vjp
from kept_helpers import damped, RATE

STEPS = 3
MODE = "square"

def wave(x, k=1.5):
    total = 0.0
    for i in range(STEPS):
        total += damped(x[i], k) * RATE
    if MODE == "square":
        total = total ** 2
    return total + math.exp(0.1) * np.sum(np.sin(x))
"""
HELPERS = """
import numpy as np
RATE = 0.5

def damped(v, c):
    return v * np.exp(-c * v)
"""
X = np.linspace(0.1, 1.0, 4)


def read(file):
    with open(file, encoding="utf-8") as text:
        return text.read()


@pytest.fixture
def session(tmp_path, monkeypatch):
    """Calls `expression` in a program that is read anew; says whether it was compiled, too."""
    monkeypatch.setenv("AUTODIFF_CACHE", str(tmp_path / "kept"))
    monkeypatch.setattr(extended, "_extended", False)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    compiled = []
    whole = compiler.compile
    monkeypatch.setattr(compiler, "compile", lambda *given: compiled.append(given) or whole(*given))

    def run(expression, program=PROGRAM, helpers=HELPERS, before=None):
        for name, text in (("kept_program", program), ("kept_helpers", helpers)):
            (tmp_path / f"{name}.py").write_text(text)
            linecache.cache.pop(str(tmp_path / f"{name}.py"), None)
            sys.modules.pop(name, None)
        importlib.invalidate_caches()
        module = importlib.import_module("kept_program")
        cache._shelves.clear()
        compiled.clear()
        if before is not None:
            before(module)
        found = eval(expression, vars(module) | {"X": X, "read": read})
        return found, bool(compiled)

    yield run
    for name in ("kept_program", "kept_helpers"):
        sys.modules.pop(name, None)


EXPRESSIONS = [
    "grad(wave)(X)",
    "grad(wave)(X, 2.0)",
    "grad(wave)(X.astype(np.float32), k=2.0)",
    "grad(wave, (0, 1))(X, 2.0)",
    "value_and_grad(wave)(X)",
    "vjp(wave, X)[1](1.0)",
    "jvp(wave, (X,), (X,))",
    "hessian(wave)(X)",
    "grad(wave)([0.1, 0.2, 0.3])",
    "grad(wave)((0.1, 2, 0.3))",
]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_the_second_process_finds_what_the_first_one_compiled(session, expression):
    first, compiled = session(expression)
    assert compiled
    again, compiled = session(expression)
    assert not compiled
    assert repr(again) == repr(first)


SAID = """(lambda d: (
    d(X), d.source, d.stages(), d.save(FILE, overwrite=True), read(FILE), d.explain(),
    d.view(FILE), read(FILE), d._repr_html_(), [*d.graph().nodes]
))"""


def test_all_that_a_derivative_shows_is_there(session, tmp_path):
    expression = SAID.replace("FILE", repr(str(tmp_path / "saved.py"))) + "(grad(wave))"
    first, _ = session(expression)
    again, _ = session(expression)
    assert repr(again) == repr(first)


def test_errors_name_the_line_of_the_user(session):
    notes = []
    for _ in range(2):
        with pytest.raises(IndexError) as caught:
            session("grad(wave)(X[:2])")
        notes.append(
            "".join([*getattr(caught.value, "__notes__", ()), *map(str, caught.value.args)])
        )
    assert "kept_program.py" in notes[0]
    assert notes[0] == notes[1]


CHANGES = [
    ("RATE = 0.5", "RATE = 0.75"),
    ("RATE = 0.5", "RATE = 2"),
    ("RATE = 0.5", "RATE = np.float32(0.5)"),
    ("RATE = 0.5", "RATE = np.array(0.5)"),
    ("np.exp(-c * v)", "np.exp(-c * v) * v"),
    ("def damped(v, c)", "def damped(v, c, e=2.0)"),
    ("return v * np.exp", "v = np.sqrt(v)\n    return v * np.exp"),
    ("STEPS = 3", "STEPS = 2"),
    ('MODE = "square"', 'MODE = "plain"'),
    ("k=1.5", "k=2.5"),
    ("total = 0.0", "total = 1.0"),
    (
        "import numpy as np\n",
        "import numpy as np\nimport numpy.linalg as math\nmath.exp = np.cos\n",
    ),
    (
        "from kept_helpers import damped, RATE",
        "from kept_helpers import RATE\ndamped = lambda v, c: v",
    ),
    ("def wave", "def range(n): return [1]\ndef wave"),
    ("import math\n", "import math\nclass math:\n    exp = staticmethod(lambda x: 7.0)\n"),
    ("damped(x[i], k) * RATE", "(damped(x[i], k)) * RATE"),
]


@pytest.mark.parametrize(("old", "new"), CHANGES, ids=[new for _, new in CHANGES])
def test_what_is_read_has_changed(session, old, new):
    """The derivative of the changed program, whatever was kept for the one before."""
    assert (old in PROGRAM) or (old in HELPERS)
    changed = {
        "program": PROGRAM.replace(old, new, 1),
        "helpers": HELPERS.replace(old, new, 1) if old not in PROGRAM else HELPERS,
    }
    try:
        before, _ = session("grad(wave)(X), grad(wave).source")
        found, compiled = session("grad(wave)(X), grad(wave).source", **changed)
        assert compiled
        assert repr(found) != repr(before) or new == "def damped(v, c, e=2.0)"
        again, _ = session("grad(wave)(X), grad(wave).source", **changed)
        assert repr(again) == repr(found)
        os.environ["AUTODIFF_CACHE"] = "0"
        fresh, compiled = session("grad(wave)(X), grad(wave).source", **changed)
        assert compiled
        assert repr(fresh) == repr(found)
    finally:
        if hasattr(np.linalg, "exp"):
            del np.linalg.exp


def doubled(x):
    return 2.0 * x


def patched(module):
    module.np.sin = doubled


def ruled(module):
    @autodiff.custom(vjp=lambda g, y, v, c: (100.0 * g, 0.0 * g))
    def damped(v, c):
        return v

    module.damped = damped


def rebound(module):
    module.damped = doubled


@pytest.mark.parametrize("change", [patched, ruled, rebound])
def test_what_is_read_was_changed_by_the_program(session, monkeypatch, change):
    monkeypatch.setattr(np, "sin", np.sin)
    before, _ = session("grad(wave)(X)")
    try:
        found, compiled = session("grad(wave)(X)", before=change)
    except (TypeError, autodiff.AutodiffError):  # `doubled` takes one argument
        found, compiled = None, True
    assert compiled
    assert repr(found) != repr(before)


def squared(v, c):
    return v * v


def with_square(module):
    module.square = squared


def test_guards_hold_what_they_held(session):
    """What is put in place of a function after the derivative was found is seen."""
    session("grad(wave)(X)")
    text = "(grad(wave)(X), wave.__globals__.update(damped=square), grad(wave)(X))"
    (first, _, second), compiled = session(text, before=with_square)
    assert compiled
    assert repr(first) != repr(second)


UNKEPT = {
    "a closure": "def outer(c):\n    def f(x):\n        return c * x\n    return f\nf = outer(2.0)",
    "an array": "c = np.ones(3)\ndef f(x):\n    return np.sum(c) * x",
    "a list": "c = [2.0]\ndef f(x):\n    return c[0] * x",
    "an object": "class C:\n    k = 2.0\nc = C()\ndef f(x):\n    return c.k * x",
    "a class": "class C:\n    k = 2.0\ndef f(x):\n    return C.k * x",
    "an import": "def f(x):\n    import math\n    return math.sin(x)",
    "a global": "c = 1.0\ndef f(x):\n    global c\n    c = 2.0\n    return c * x",
    "getattr": "def f(x):\n    return getattr(np, 'sin')(x)",
    "what it is made of": "def g(x):\n    return x\ndef f(x):\n    return len(g.__name__) * x",
    "an attribute": "def g(x):\n    return x\ng.k = 2.0\ndef f(x):\n    return g.k * x",
    "a default": "def f(x, c=[2.0]):\n    return c[0] * x",
    "a wrapped one": "import functools\n@functools.lru_cache\ndef g(x):\n    return x\n"
    "def f(x):\n    return g(x) * x",
}


@pytest.mark.parametrize("text", UNKEPT.values(), ids=UNKEPT)
def test_what_is_not_sure_is_not_kept(session, text):
    program = f"import numpy as np\nfrom autodiff import grad\n{text}\n"
    for _ in range(2):
        _, compiled = session("grad(f)(2.0)", program)
        assert compiled
    assert folder.entries() == []


@pytest.mark.parametrize("harm", [b"", b"x", None])
def test_torn_files_are_not_there(session, harm):
    first, _ = session("grad(wave)(X)")
    for file in folder.entries():
        content = file.read_bytes()
        file.write_bytes(content[:-9] if harm is None else harm)
    again, compiled = session("grad(wave)(X)")
    assert compiled
    assert repr(again) == repr(first)


def test_other_versions_have_other_keys(session, monkeypatch):
    session("grad(wave)(X)")
    monkeypatch.setattr(np, "__version__", "0.0")
    kept._versions.cache_clear()
    assert session("grad(wave)(X)")[1]
    kept._versions.cache_clear()


def test_several_writers_and_a_bound(monkeypatch, tmp_path):
    monkeypatch.setenv("AUTODIFF_CACHE", str(tmp_path / "kept"))
    monkeypatch.setattr(folder, "MOST", 20)
    data = {f"{k}": bytes([k]) * 10_000 for k in range(8)}

    def write():
        for _ in range(5):
            for key, value in data.items():
                folder.write(key, value)
                assert folder.read(key) == value

    threads = [threading.Thread(target=write) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(folder.entries()) == 8
    for k in range(30):
        folder.write(f"more{k}", b"")
    assert len(folder.entries()) <= 20
    assert folder.read("more29") == b""
    assert folder.read("0") is None
    assert [*(tmp_path / "kept").glob(".*")] == []


def test_where_nothing_can_be_written(session, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("AUTODIFF_CACHE", str(tmp_path / "file" / "below"))
    assert session("grad(wave)(X)")[1]
    assert session("grad(wave)(X)")[1]


def test_the_folder(monkeypatch, tmp_path):
    monkeypatch.delenv("AUTODIFF_CACHE")
    for name in ("LOCALAPPDATA", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    assert folder.folder() == folder.of_user(sys.platform)
    assert tmp_path / "autodiff" in (folder.folder(), folder.folder().parent)
    monkeypatch.setenv("AUTODIFF_CACHE", "0")
    assert folder.folder() is None
    assert folder.entries() == []
    assert folder.read("0") is None


@pytest.mark.parametrize(
    ("system", "module", "given", "expected"),
    [
        ("linux", "unix.Unix", {}, "home/.cache/autodiff"),
        ("linux", "unix.Unix", {"XDG_CACHE_HOME": "given"}, "given/autodiff"),
        ("darwin", "macos.MacOS", {}, "home/Library/Caches/autodiff"),
        ("darwin", "macos.MacOS", {"XDG_CACHE_HOME": "given"}, "given/autodiff"),
        ("win32", "windows.Windows", {}, "home/AppData/Local/autodiff/Cache"),
        ("win32", "windows.Windows", {"LOCALAPPDATA": "given"}, "given/autodiff/Cache"),
    ],
)
def test_the_folder_is_that_of_the_system(system, module, given, expected, monkeypatch, tmp_path):
    """And that which platformdirs gives, where it is installed; for Windows it asks Windows."""
    for name in ("LOCALAPPDATA", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    for name, value in given.items():
        monkeypatch.setenv(name, str(tmp_path / value))
    assert folder.of_user(system) == tmp_path / expected
    if system != "win32" and importlib.util.find_spec("platformdirs") is not None:
        file, name = module.split(".")
        of_system = getattr(importlib.import_module(f"platformdirs.{file}"), name)
        theirs = of_system("autodiff", appauthor=False).user_cache_dir
        assert Path(theirs) == folder.of_user(system)


def test_a_relative_folder_is_no_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", "caches")
    assert folder.of_user("linux") == tmp_path / ".cache" / "autodiff"


def test_the_command(session, capsys):
    session("grad(wave)(X)")
    capsys.readouterr()
    assert main(["cache"]) == 0
    assert capsys.readouterr().out.startswith(f"{len(folder.entries())} derivatives, ")
    assert main(["cache", "--clear"]) == 0
    assert folder.entries() == []
    assert " removed from " in capsys.readouterr().out


def test_in_two_processes(root, tmp_path):
    (tmp_path / "kept_helpers.py").write_text(HELPERS)
    script = tmp_path / "script.py"
    last = "print(*grad(wave)(np.ones(3)), 'autodiff.pipeline.compiler' in sys.modules)"
    script.write_text(f"import sys\n{PROGRAM}\n{last}\n")
    env = {**os.environ, "AUTODIFF_CACHE": str(tmp_path / "kept"), "PYTHONPATH": str(root)}
    said = [
        subprocess.run(
            [sys.executable, script], env=env, capture_output=True, text=True, check=True
        )
        for _ in range(2)
    ]
    numbers, compiled = zip(*(each.stdout.rsplit(maxsplit=1) for each in said))
    assert compiled == ("True", "False")
    assert numbers[0] == numbers[1]
