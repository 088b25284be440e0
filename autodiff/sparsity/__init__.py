"""Sparse Jacobians and Hessians: patterns, colours, compression."""
