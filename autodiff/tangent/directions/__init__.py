"""Tangents along several directions at once: the directions are the first axis."""
