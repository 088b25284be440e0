"""Statements: stores, deletions, `try`, `with`, and the order that Python runs them in."""
