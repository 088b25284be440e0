"""Whole programs, written and random."""
