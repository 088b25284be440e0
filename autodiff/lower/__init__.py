"""From a function's tree to Core: variables become values; what loops carry and branches join
becomes explicit.
"""
