"""Tests of the rules, drawn from the registry."""
