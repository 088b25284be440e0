"""Numba's compiler with a short way for what adjoint code consists of; knows nothing of autodiff.

Imported only when a derivative is compiled with `backend="numba"`.
"""
