"""Derivatives of plain Python and NumPy functions, written out as Python source."""
