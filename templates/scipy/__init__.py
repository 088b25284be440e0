"""Derivative rules of SciPy: one module for each of its parts, loaded when that part is in use."""
