"""Derivative rules, written as code that is never executed."""
