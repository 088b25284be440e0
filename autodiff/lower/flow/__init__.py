"""Branches and loops: what is joined, carried, drawn from iterators, and remembered of each."""
