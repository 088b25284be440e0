"""Derivative rules of NumPy."""
