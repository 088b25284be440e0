"""The constructs that `desugar` removes, one file each.

A rule takes a statement and the context and returns the statements that replace it, or None when it
has nothing to do. What it returns may still hold other sugar: `desugar` applies the rules again.
"""
