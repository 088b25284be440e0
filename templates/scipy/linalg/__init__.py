"""Derivative rules of scipy.linalg; without the options that let it overwrite its arguments."""

from autodiff.templates.scipy.linalg import building, factorizations, functions, helpers, solving

__all__ = ["building", "factorizations", "functions", "helpers", "solving"]
