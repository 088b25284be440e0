"""Whole kernels that work in place, as scientists write them."""
