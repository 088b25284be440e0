"""Leaner operations in the reverse sweep: the text changes, numbers only by rounding."""
