"""Expressions to entries: operators, containers, comparisons, calls of the library."""
