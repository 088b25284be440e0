"""Core: what stands between parsing and printing. Data only.

Structured single assignment, typed, with effects: values, regions of memory, operations in blocks.
A value has one definition; what a loop carries and a branch joins are parameters and results of
blocks; memory is touched only by operations that say so.
"""
