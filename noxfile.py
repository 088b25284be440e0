#!/usr/bin/env -S uv run --script

# /// script
# dependencies = ["nox>=2025.2.9"]
# ///

"""`nox` runs what is not heavy, in environments of its own; `nox -s tests-3.12` one of them."""

import nox

nox.needs_version = ">=2025.2.9"
nox.options.default_venv_backend = "uv|virtualenv"


@nox.session
def lint(session: nox.Session) -> None:
    """Style and types."""
    session.install("--editable", ".[test]")
    session.run("ruff", "check", ".")
    session.run("mypy")


@nox.session(python=["3.10", "3.11", "3.12", "3.13"])
def tests(session: nox.Session) -> None:
    """What is not heavy, or the tests that are named."""
    session.install("--editable", ".[test]")
    session.run("pytest", *(session.posargs or ("-n", "auto", "-m", "not heavy")))


@nox.session(default=False)
def docs(session: nox.Session) -> None:
    """The pages."""
    session.install("--editable", ".[docs]")
    session.run("mkdocs", "build", "--strict")


if __name__ == "__main__":
    nox.main()
