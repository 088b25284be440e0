"""JAX in double precision; a module that imports this one is skipped where there is no JAX."""

import pytest

jax = pytest.importorskip("jax")
jax.config.update("jax_enable_x64", True)
jax.config.update("jax_disable_most_optimizations", True)  # compiling takes all the time
