"""Kernels again, written for JAX: without a store, by another algorithm where there is one.

The port of `programs/pde_1d.py::jacobi_1d` is `ports/pde_1d.py::jacobi_1d`.
"""
