"""Derivatives of one run: what the compiler refuses is followed while Python runs it."""
