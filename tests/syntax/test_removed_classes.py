"""Nothing needs the classes that Python 3.14 removed from `ast`, which astor names."""

import subprocess
import sys

REMOVED = ("Num", "Str", "Bytes", "NameConstant", "Ellipsis")

WITHOUT = f"""
import ast, sys
for name in {REMOVED}:
    ast.__dict__.pop(name, None)
ast.__dict__.pop("__getattr__", None)  # which gives them in 3.12 and 3.13
assert not any(hasattr(ast, name) for name in {REMOVED})
import pytest
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", *sys.argv[1:]]))
"""


def test_texts_are_written_without_them(root):
    """Each form of statement and expression, and some of the generated texts that are kept.

    Not the tests of docstrings: `ast.get_docstring` of Python to 3.11 itself needs `Str`.
    """
    tests = ("tests/syntax/test_emit.py", "tests/syntax/test_wrap.py", "tests/golden")
    chosen = ("-k", "not docstrings", "-m", "not heavy", "--share", "1/16")
    run = subprocess.run(
        [sys.executable, "-c", WITHOUT, *tests, *chosen],
        cwd=root,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert " passed" in run.stdout
