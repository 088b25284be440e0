"""Calls of the user's functions: closure conversion, recursion, inlining, calls that stay."""
