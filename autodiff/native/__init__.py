"""The native backend: generated code lowered to what Numba compiles in nopython mode.

Imported only when a derivative is compiled with `backend="numba"`.
"""
