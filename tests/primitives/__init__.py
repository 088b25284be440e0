"""The table of primitives, tested by execution."""
