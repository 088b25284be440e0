"""The table of primitives: the only place that knows what a function of a library does to memory;
and the builder.
"""
