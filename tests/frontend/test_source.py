"""`source`: the right tree, at the right place, with the right names, or an error."""

from __future__ import annotations

import ast
import doctest
import functools
import importlib
import linecache
import pickle
import sys
import textwrap
import types
from collections.abc import Callable
from pathlib import Path

import gast
import numpy as np
import pytest

from autodiff import grad
from autodiff.errors import SourceNotFoundError
from autodiff.frontend.source import Namespace, source
from autodiff.frontend.tree import to_gast
from autodiff.syntax.names import parameters

SCALE = 2.0


def scaled(x: float, *rest: float, power: int = 2, **options: object) -> float:
    """Scale."""
    return SCALE * x**power


def texts(function: object) -> list[str]:
    return [statement.origin.text for statement in source(function).tree.body]


def line_of(function: Callable[..., object]) -> int:
    return function.__code__.co_firstlineno


def test_plain_function() -> None:
    found = source(scaled)
    assert isinstance(found.tree, gast.FunctionDef)
    assert found.tree.name == "scaled"
    assert parameters(found.tree.args) == ["x", "rest", "power", "options"]
    assert found.tree.args.args[0].annotation.id == "float"
    assert found.file == scaled.__code__.co_filename
    assert found.line == found.tree.lineno == line_of(scaled)
    assert texts(scaled) == ['"""Scale."""', "return SCALE * x**power"]
    assert found.namespace.kwdefaults == {"power": 2}


def test_places_are_those_of_the_file() -> None:
    found = source(scaled)
    lines = Path(found.file).read_text().splitlines()
    for node in gast.walk(found.tree):
        if isinstance(node, gast.Name) and hasattr(node, "lineno"):
            assert lines[node.lineno - 1][node.col_offset :].startswith(node.id)
    origin = found.tree.body[1].origin
    assert lines[origin.line - 1][origin.column : origin.end_column] == origin.text


def decorate(function: Callable[..., object]) -> Callable[..., object]:
    @functools.wraps(function)
    def wrapper(x: float) -> object:
        return function(x)

    return wrapper


def unchanged(function: Callable[..., object]) -> Callable[..., object]:
    return function


@decorate
def wrapped(x: float) -> float:
    return x + 1.0


@unchanged
@unchanged
def decorated(x: float) -> float:
    return x + 3.0


def test_a_wrapper_is_not_looked_through() -> None:
    assert texts(wrapped) == ["return function(x)"]
    assert source(wrapped).namespace.lookup("function").__name__ == "wrapped"


def test_decorators_are_left_out() -> None:
    found = source(decorated)
    assert found.tree.decorator_list == []
    assert found.line == line_of(decorated) + 2
    assert texts(decorated) == ["return x + 3.0"]


class Model:
    factor = 3.0

    def __init__(self) -> None:
        self.__secret = 5.0

    def energy(self, x: float) -> float:
        __local = self.__secret
        return self.factor * x + __local

    @staticmethod
    def free(x: float) -> float:
        return x - 1.0

    @classmethod
    def made(cls, x: float) -> float:
        return cls.factor * x

    class Inner:
        def deep(self, x: float) -> float:
            return self.__other * x


@pytest.mark.parametrize("method", [Model.energy, Model().energy])
def test_methods(method: object) -> None:
    found = source(method)
    assert parameters(found.tree.args) == ["self", "x"]
    assert found.tree.body[1].origin.text == "return self.factor * x + __local"


@pytest.mark.parametrize("method", [Model.free, Model.__dict__["free"]])
def test_static_methods(method: object) -> None:
    assert texts(method) == ["return x - 1.0"]


@pytest.mark.parametrize("method", [Model.made, Model.__dict__["made"]])
def test_class_methods(method: object) -> None:
    assert texts(method) == ["return cls.factor * x"]


def test_private_names_are_spelled_out() -> None:
    body = source(Model.energy).tree.body
    assert body[0].targets[0].id == "_Model__local"
    assert body[0].value.attr == "_Model__secret"
    assert source(Model.Inner.deep).tree.body[0].value.left.attr == "_Inner__other"


doubled, tripled = (lambda x: 2.0 * x), (lambda x: 3.0 * x)
same_a, same_b = (lambda x: x * x), (lambda x: x * x)
default = lambda x, f=(lambda t: t + 1.0): f(x)
table = {
    "a": lambda x: x + 1.0,
    "b": [lambda x, y: x * y],
}


def test_the_right_lambda_of_several_on_a_line() -> None:
    assert texts(doubled) == ["2.0 * x"]
    assert texts(tripled) == ["3.0 * x"]
    assert texts(default) == ["f(x)"]
    assert texts(default.__defaults__[0]) == ["t + 1.0"]
    assert source(doubled).tree.name == "function"
    assert isinstance(source(doubled).tree.body[0], gast.Return)


def test_lambdas_over_several_lines() -> None:
    assert texts(table["a"]) == ["x + 1.0"]
    assert texts(table["b"][0]) == ["x * y"]


@pytest.mark.skipif(sys.version_info < (3, 11), reason="code objects do not know their columns")
def test_equal_lambdas_are_told_apart_by_column() -> None:
    first, second = source(same_a).tree.body[0], source(same_b).tree.body[0]
    assert first.col_offset < second.col_offset


def make(scale: float, later: bool = False) -> tuple[Callable[[float], float], ...]:
    def inner(x: float) -> float:
        return scale * x + (offset if later else 0.0)

    def recursive(x: float) -> float:
        return x if x < 1.0 else recursive(x - 1.0) * scale

    if later:
        offset = 1.0
    return inner, recursive


def test_closures_keep_their_cells() -> None:
    inner, recursive = make(4.0)
    found = source(inner)
    assert tuple(found.namespace.cells.values()) == inner.__closure__
    assert all(a is b for a, b in zip(found.namespace.cells.values(), inner.__closure__))
    assert found.namespace.lookup("scale") == 4.0
    with pytest.raises(KeyError):  # not assigned yet
        found.namespace.lookup("offset")
    assert source(recursive).namespace.lookup("recursive") is recursive


def test_namespace_lookup() -> None:
    found = source(scaled).namespace
    assert found.globals is globals()
    assert found.lookup("SCALE") == 2.0
    assert found.lookup("len") is len
    with pytest.raises(KeyError):
        found.lookup("nothing_of_that_name")
    plain = Namespace({"__builtins__": {"len": "mine"}})
    assert plain.lookup("len") == "mine"


def guarded(x: float) -> float:
    assert x > 0.0, "pytest rewrites this statement when it imports the file"
    values = np.array([x, 2.0])
    assert values.sum() == x + 2.0
    return values[0]


def test_functions_that_an_import_hook_has_rewritten() -> None:
    assert texts(guarded)[0].startswith("assert x > 0.0")


def write_module(directory: Path, name: str, text: str) -> types.ModuleType:
    (directory / f"{name}.py").write_text(textwrap.dedent(text))
    specification = importlib.util.spec_from_file_location(name, directory / f"{name}.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


COMPOUND = """
def compound(x: float, n: int) -> float:
    for k in range(n):  # a comment
        if (
            k > 2  # why
            and x
        ):
            x = max(
                x,  # one
                1.0,
            )
        elif n: x = 2.0; n = 3
    with np.errstate(all="ignore"), \\
            np.printoptions(precision=3):
        s = "# é no comment"; é = x  # a comment
    try:
        x = x[
            1
        ]
    except TypeError:
        @unchanged
        def inner(
            y
        ):
            pass
    match n:
        case 1:
            pass
    while (True):
        class A(int): pass
        break
    a_case = \\
        a_case
    return x
"""


def test_texts_of_statements(tmp_path: Path) -> None:
    module = write_module(tmp_path, "compound", COMPOUND)
    found = [
        node.origin.text
        for node in gast.walk(source(module.compound).tree)
        if isinstance(node, gast.stmt)
    ]
    assert sorted(found) == sorted(
        [
            "def compound(x: float, n: int) -> float:",
            "for k in range(n):",
            "if (k > 2 and x):",
            "x = max(x, 1.0,)",
            "elif n:",
            "x = 2.0",
            "n = 3",
            'with np.errstate(all="ignore"), np.printoptions(precision=3):',
            's = "# é no comment"',
            "é = x",
            "try:",
            "x = x[1]",
            "def inner(y):",
            "pass",
            "match n:",
            "pass",
            "while (True):",
            "class A(int):",
            "pass",
            "break",
            "a_case = a_case",
            "return x",
        ]
    )


def test_a_file_edited_after_its_import_is_noticed(tmp_path: Path) -> None:
    module = write_module(tmp_path, "edited", "def f(x):\n    return 2.0 * x\n")
    (tmp_path / "edited.py").write_text("def f(x):\n    return 3.0 * x\n")
    with pytest.raises(SourceNotFoundError, match="is not that of f"):
        source(module.f)


@pytest.mark.parametrize(
    "after",
    [
        "return 2.0 - x",
        "return x - 2.0",
        "return x",
        "return 2.0 * y",
        "return 2.0 * x * x",
        "pass",
    ],
)
def test_small_edits_are_noticed(tmp_path: Path, after: str) -> None:
    module = write_module(tmp_path, "small", "def f(x):\n    return x + 2.0\n")
    (tmp_path / "small.py").write_text(f"def f(x):\n    {after}\n")
    with pytest.raises(SourceNotFoundError):
        source(module.f)


def test_an_edit_elsewhere_in_the_file_does_no_harm(tmp_path: Path) -> None:
    module = write_module(tmp_path, "moved", "def f(x):\n    return 2.0 * x\n")
    assert texts(module.f) == ["return 2.0 * x"]
    (tmp_path / "moved.py").write_text("\n\n\ndef f(x):\n    return 3.0 * x\n")
    assert texts(module.f) == ["return 2.0 * x"]  # as last seen: what runs


def test_warnings_about_the_text_are_not_repeated(tmp_path: Path) -> None:
    (tmp_path / "noisy.py").write_text('def f(x):\n    s = "\\d"\n    return x is 3\n')
    file = str(tmp_path / "noisy.py")
    namespace: dict[str, object] = {}
    with pytest.warns(Warning, match="invalid escape|is. with"):
        exec(compile(Path(file).read_text(), file, "exec"), namespace)
    assert texts(namespace["f"])[1] == "return x is 3"


def test_imports_and_super_do_not_confuse(tmp_path: Path) -> None:
    module = write_module(
        tmp_path,
        "odd",
        """
        import numpy as np
        from os import path as data
        keep = super
        class A:
            def m(self, data):
                return np.sin(data.x(1)) + super().m(A) + __class__.n(data)
        def outer(k):
            class B:
                def m(self):
                    return super().m(B, k, A)
            return B.m
        """,
    )
    assert texts(module.A.m)[0].startswith("return np.sin")
    assert texts(module.outer(1))[0].startswith("return super()")


def define(text: str, file: str) -> dict[str, object]:
    namespace: dict[str, object] = {}
    exec(compile(text, file, "exec"), namespace)
    return namespace


def test_text_known_to_linecache_only() -> None:
    text = "def f(x):\n    return x * 7.0\n"
    linecache.cache["<cell 12>"] = (len(text), None, text.splitlines(True), "<cell 12>")
    assert texts(define(text, "<cell 12>")["f"]) == ["return x * 7.0"]


def test_an_indented_fragment() -> None:
    text = "\n    def f(x):\n        return x * 8.0\n"
    linecache.cache["<part>"] = (len(text), None, text.splitlines(True), "<part>")
    function = define(textwrap.dedent(text), "<part>")["f"]
    found = source(function)
    assert found.tree.body[0].origin.text == "return x * 8.0"
    assert (found.line, found.tree.col_offset) == (2, 4)


def in_a_doctest() -> None:
    """
    >>> from autodiff.frontend.source import source
    >>> def f(x):
    ...     return 9.0 * x
    >>> source(f).tree.body[0].origin.text
    'return 9.0 * x'
    """


def test_doctest() -> None:
    test = doctest.DocTestFinder().find(in_a_doctest, globs={})[0]
    assert doctest.DocTestRunner().run(test).failed == 0


class Callable_:
    def __call__(self, x: float) -> float:
        return x


@pytest.mark.parametrize(
    ("function", "cure"),
    [
        (len, "rule"),
        (np.sin, "rule"),
        (functools.partial(scaled, 1.0), "rule"),
        (Callable_, "makes the object"),
        (Callable_(), "`__call__`"),
        (eval("lambda x: x"), "file, a notebook cell"),
        (3, "function"),
    ],
)
def test_what_has_no_source(function: object, cure: str) -> None:
    with pytest.raises(SourceNotFoundError, match=cure):
        source(function)


def test_the_text_of_python_c_is_not_that_of_exec(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python 3.13 keeps the text of `python -c` under the file name that `exec` gives, too."""
    text = "def squared(x):\n    return x * x\n"
    monkeypatch.setitem(linecache.cache, "<string>", (len(text), None, text.splitlines(True), ""))
    names: dict[str, object] = {}
    exec(text, names)
    assert source(names["squared"]).tree.name == "squared"
    with pytest.raises(SourceNotFoundError, match="came from a string"):
        source(eval("lambda x: 2.0 * x"))


async def waits(x: float) -> float:
    return x


def test_async_functions_are_found_for_the_fence_to_refuse() -> None:
    assert isinstance(source(waits).tree, gast.AsyncFunctionDef)


@pytest.mark.parametrize("module", [textwrap, pickle, functools, ast])
def test_every_function_of_a_module_is_found(module: types.ModuleType) -> None:
    for value in vars(module).values():
        if isinstance(value, types.FunctionType) and value.__module__ == module.__name__:
            assert source(value).tree.name == value.__code__.co_name


@pytest.mark.parametrize("module", [textwrap, functools, doctest, ast])
def test_to_gast_agrees_with_gast(module: types.ModuleType) -> None:
    tree = ast.parse(Path(module.__file__).read_text())
    ours, theirs = to_gast(tree), gast.ast_to_gast(tree)
    assert gast.dump(ours, include_attributes=True) == gast.dump(theirs, include_attributes=True)


TYPED = """
import dataclasses


@dataclasses.dataclass
class Model:
    k: float

    def __eq__(self, other):
        return self.k < other.k


def force(x):
    return x * x if Model(1.0) == Model(2.0) else x
"""


def test_methods_that_were_typed_are_not_those_that_dataclass_writes(monkeypatch):
    """Python 3.13 keeps what is typed at its prompt; such a file begins with `<`, too."""
    entry = (len(TYPED), None, TYPED.splitlines(True), "<input>")
    monkeypatch.setitem(linecache.cache, "<input>", entry)
    typed = {"__name__": "typed"}
    monkeypatch.setitem(sys.modules, "typed", types.ModuleType("typed"))
    exec(compile(TYPED, "<input>", "exec"), typed)
    assert typed["force"](3.0) == 9.0 and grad(typed["force"])(3.0) == 6.0
