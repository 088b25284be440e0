"""`load`: live names, readable tracebacks, nothing written to the user's module."""

from __future__ import annotations

import linecache
import pdb  # noqa: T100  the debugger is under test
import traceback
from collections.abc import Callable, Mapping
from io import StringIO
from types import CellType, CodeType, FunctionType

import pytest

from autodiff.errors import InternalError
from autodiff.frontend.source import Namespace, source
from autodiff.loader import annotate, load
from autodiff.syntax.origin import Origin

FACTOR = 2.0


def loaded(
    text: str,
    name: str = "f test_loader.py:1",
    namespace: Namespace | None = None,
    helpers: Mapping[str, object] | None = None,
    origins: Mapping[int, Origin] | None = None,
) -> FunctionType:
    return load(text, name, namespace or Namespace(globals()), helpers or {}, origins or {})


def test_globals_are_live(monkeypatch: pytest.MonkeyPatch) -> None:
    f = loaded("def f(x):\n    return FACTOR * x\n")
    assert f.__globals__ is globals()
    assert f(3.0) == 6.0
    monkeypatch.setitem(globals(), "FACTOR", 10.0)
    assert f(3.0) == 30.0


def test_helpers_come_through_cells_and_the_module_is_not_written_to() -> None:
    before = dict(globals())
    f = loaded(
        "def f(x):\n    tape = Tape()\n    tape.append(x)\n    return tape\n",
        helpers={"Tape": list},
    )
    assert f(1.0) == [1.0]
    assert globals() == before
    assert f.__code__.co_freevars == ("Tape",)


def test_helpers_come_before_globals_and_cells() -> None:
    namespace = Namespace(globals(), {"y": CellType(1.0)})
    f = loaded("def f():\n    return FACTOR, y\n", "f", namespace, {"FACTOR": 5.0, "y": 7.0})
    assert f() == (5.0, 7.0)


def test_closure_cells_are_shared() -> None:
    count = 1.0

    def primal(x: float) -> float:
        return count * x

    f = loaded("def f(x):\n    return count * x\n", namespace=source(primal).namespace)
    assert f(3.0) == 3.0
    count = 2.0
    assert f(3.0) == 6.0
    shared = CellType(1)
    g = loaded("def g():\n    return shared\n", helpers={"shared": shared})
    shared.cell_contents = 8
    assert g() == 8


def test_names_that_are_assigned_are_local() -> None:
    f = loaded(
        "def f(x):\n    FACTOR = x\n    helper = FACTOR\n    return helper\n", helpers={"helper": 1}
    )
    assert f(3.0) == 3.0
    assert FACTOR == 2.0


class Base:
    def energy(self, x: float) -> float:
        return x

    def doubled(self, x: float) -> float:
        return 2.0 * x


class Derived(Base):
    def energy(self, x: float) -> float:
        return super().energy(x) + 1.0


def test_super_means_what_it_means_in_the_method() -> None:
    f = loaded(
        "def f(self, x):\n    return super().doubled(x)\n",
        namespace=source(Derived.energy).namespace,
    )
    assert f(Derived(), 2.0) == 4.0


def test_defaults() -> None:
    def primal(x: float, y: list[int] = [1], *, z: float = 3.0) -> object:
        return x, y, z

    f = loaded(
        "def f(x, y=None, *, z=None):\n    return x, y, z\n", namespace=source(primal).namespace
    )
    assert f(0.0) == (0.0, [1], 3.0)
    assert f(0.0)[1] is primal(0.0)[1]


def test_names_and_documentation() -> None:
    text = 'def f(x):\n    """Gradient.\n\n    More.\n    """\n    return x\n'
    f = loaded(text)
    assert (f.__name__, f.__qualname__, f.__module__) == ("f", "f", __name__)
    plain: dict[str, FunctionType] = {}
    exec(text, plain)
    assert f.__doc__ == plain["f"].__doc__


def test_code_stands_where_its_text_does() -> None:
    text = (
        "def f(x):\n    def g(y):\n        return [\n            y * k for k in x\n        ]\n\n"
        "    h = lambda z: (\n        z\n    )\n    return g, h\n"
    )
    plain: dict[str, FunctionType] = {}
    exec(text, plain)
    assert _lines(loaded(text).__code__) == _lines(plain["f"].__code__)


def _lines(code: CodeType) -> list[object]:
    inner = [_lines(part) for part in code.co_consts if isinstance(part, CodeType)]
    return [code.co_firstlineno, *code.co_lines(), *inner]


def test_a_function_may_call_itself_and_hold_others() -> None:
    f = loaded(
        "def f(n):\n"
        "    def pullback(seed):\n"
        "        return seed * n\n"
        "    return pullback if n < 3 else f(n - 1)\n"
    )
    assert f(9)(10) == 20
    assert "f" not in globals()


def test_what_is_no_function_is_refused() -> None:
    with pytest.raises(InternalError, match="defines no function"):
        loaded("f = 3\n")


def test_warnings_of_the_users_text_are_not_repeated() -> None:
    assert loaded("def f(x):\n    return x is 3\n")(2) is False


def test_file_names() -> None:
    one = "def f(x):\n    return x + 1\n"
    files = [loaded(text, "file names").__code__.co_filename for text in (one, one + "\n", one)]
    assert files == ["<autodiff file names>", "<autodiff file names#2>", "<autodiff file names>"]


FAILS = "def f(x):\n    y = x + 1\n    return (\n        y\n        / 0\n    )\n"
ORIGINS = {
    1: Origin("model.py", 10, 0, 10, 9, "def model(x):"),
    3: Origin("model.py", 12, 4, 12, 16, "return y / z"),
}


def failure(function: Callable[..., object], *args: object) -> BaseException:
    with pytest.raises(ZeroDivisionError) as caught:
        function(*args)
    return caught.value


def test_tracebacks_show_the_generated_line() -> None:
    error = failure(loaded(FAILS, "shows lines"), 1.0)
    linecache.checkcache()
    shown = "".join(traceback.format_exception(type(error), error, error.__traceback__))
    assert 'File "<autodiff shows lines>", line 4, in f' in shown
    assert "\n    y\n" in shown


def test_the_debugger_lists_the_generated_lines() -> None:
    f = loaded(FAILS, "debugged")
    output = StringIO()
    debugger = pdb.Pdb(stdin=StringIO("step\nstep\nlist\nquit\n"), stdout=output, nosigint=True)
    debugger.use_rawinput = False
    debugger.runcall(f, 1.0)
    assert "y = x + 1" in output.getvalue()
    assert "->" in output.getvalue()


def noted(error: BaseException) -> str:
    return str(error) + "\n" + "\n".join(getattr(error, "__notes__", ()))


def test_errors_name_the_users_line() -> None:
    error = failure(loaded(FAILS, "named", origins=ORIGINS), 1.0)
    annotate(error)
    assert 'File "model.py", line 12\n    return y / z' in noted(error)
    assert "division by zero" in str(error)


def test_errors_are_noted_once() -> None:
    inner = loaded(FAILS, "inner", origins=ORIGINS)
    outer = loaded(
        "def f(x):\n    return inner(x)\n", "outer", helpers={"inner": inner}, origins=ORIGINS
    )
    error = failure(outer, 1.0)
    annotate(error)
    annotate(error)
    assert noted(error).count("in the derivative of") == 1
    assert "line 12" in noted(error)


def test_the_innermost_line_with_an_origin_is_named() -> None:
    inner = loaded(FAILS, "without origins")
    outer = loaded(
        "def f(x):\n    return inner(x)\n",
        "with",
        helpers={"inner": inner},
        origins={2: ORIGINS[1]},
    )
    error = failure(outer, 1.0)
    annotate(error)
    assert "line 10" in noted(error)


def test_errors_that_come_from_elsewhere_are_left_alone() -> None:
    error = failure(lambda: 1 / 0)
    annotate(error)
    assert "derivative" not in noted(error)
    annotate(ValueError("never raised"))


def test_errors_without_a_message_are_left_alone() -> None:
    f = loaded("def f():\n    raise KeyError(3)\n", "no message", origins={2: ORIGINS[3]})
    with pytest.raises(KeyError) as caught:
        f()
    annotate(caught.value)
    assert caught.value.args == (3,)


def test_generated_code_has_source_itself() -> None:
    f = loaded("def f(x):\n    return helper * x\n", "again", helpers={"helper": 4.0})
    found = source(f)
    assert found.tree.body[0].origin.text == "return helper * x"
    assert found.namespace.lookup("helper") == 4.0
