"""Forks while other threads hold locks of the package: nothing in the child waits for them."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest

from autodiff import locks

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")

HEAD = """
import gc, os, signal, threading, warnings
import numpy as np
from autodiff import Parameter, grad

warnings.simplefilter("ignore", DeprecationWarning)  # of forks where there are threads
busy = threading.Event()

def forked(task):
    pid = os.fork()
    if pid == 0:
        signal.alarm(60)  # ends a child that waits for ever
        task()
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0

def start(run):
    threading.Thread(target=run, daemon=True).start()
    busy.wait()
"""

COMPILING = """
def f(x):
    y = np.tanh(x)
    for _ in range(3):
        y = y * x + np.sin(y)
    return np.sum(y)

def compiling():
    while True:
        busy.set()
        grad(lambda x: f(x) * 2.0)(np.ones(3))

def child():
    assert grad(f)(np.ones(3)).shape == (3,)
    assert gc.isenabled()

start(compiling)
for _ in range(3):
    forked(child)
"""

ADDING = """
w = Parameter(np.zeros(1_000_000))

def adding():
    while True:
        busy.set()
        w.add(np.ones(1_000_000))

def child():
    before = w.grad[0]
    w.add(np.ones(1_000_000))
    assert np.all(w.grad == before + 1.0)

start(adding)
for _ in range(3):
    forked(child)
"""


@pytest.mark.parametrize("program", [COMPILING, ADDING], ids=["compiling", "adding"])
def test_a_child_waits_for_no_thread(program, root, tmp_path):
    file = tmp_path / "program.py"
    file.write_text(HEAD + program)
    found = subprocess.run(
        [sys.executable, str(file)],
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert found.returncode == 0, found.stderr


NAMED = ["COMPILING", "TEMPLATES", "TEXTS", "WARNINGS"]


@pytest.mark.parametrize("name", NAMED)
def test_a_fork_waits_for_each_lock(name):
    held, done = threading.Event(), threading.Event()

    def hold():
        with getattr(locks, name):
            held.set()
            done.wait(0.2)  # nobody sets it: the fork has to wait
            done.set()

    thread = threading.Thread(target=hold)
    thread.start()
    assert held.wait(5)
    locks._take()
    assert done.is_set()
    locks._release()
    thread.join()
    assert not locks._held


def test_the_thread_that_holds_a_lock_may_fork():
    with locks.COMPILING:
        locks._take()
        locks._release()
    assert not locks._held
