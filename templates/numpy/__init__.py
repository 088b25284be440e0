"""Derivative rules of NumPy."""

from autodiff.templates.numpy import elementwise, reductions

__all__ = ["elementwise", "reductions"]
