"""Tests of what generated code calls."""
