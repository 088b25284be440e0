"""Defaults that a program changes after a derivative was compiled."""

from __future__ import annotations

from autodiff import grad, value_and_grad


def scaled(x, factor=2.0):
    return x * factor


def shifted(x, *, by=1.0):
    return x * by


def through_helper(x):
    return scaled(x) + shifted(x)


def test_new_defaults_are_used(monkeypatch):
    derivative = grad(scaled)
    assert derivative(3.0) == derivative(3.0) == 2.0
    monkeypatch.setattr(scaled, "__defaults__", (5.0,))
    assert derivative(3.0) == derivative(3.0) == 5.0
    monkeypatch.setattr(scaled, "__defaults__", ([1.0],))
    assert derivative(3.0, 4.0) == 4.0


def test_new_keyword_defaults_are_used(monkeypatch):
    derivative = value_and_grad(shifted)
    assert derivative(3.0) == derivative(3.0) == (3.0, 1.0)
    monkeypatch.setitem(shifted.__kwdefaults__, "by", 4.0)
    assert derivative(3.0) == derivative(3.0) == (12.0, 4.0)
    assert derivative(3.0, by=2.0) == (6.0, 2.0)


def test_new_defaults_of_a_helper_are_used(monkeypatch):
    derivative = grad(through_helper)
    assert derivative(3.0) == derivative(3.0) == 3.0
    monkeypatch.setattr(scaled, "__defaults__", (5.0,))
    assert derivative(3.0) == derivative(3.0) == 6.0
    monkeypatch.setitem(shifted.__kwdefaults__, "by", 4.0)
    assert derivative(3.0) == derivative(3.0) == 9.0
