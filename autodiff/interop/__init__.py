"""Functions of NumPy as functions of other libraries, with their derivatives.

`autodiff.interop.torch` and `autodiff.interop.jax` are imported by name alone.
"""
