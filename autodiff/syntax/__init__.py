"""Trees and texts."""

import autodiff.needed  # noqa: F401 (what is not installed is said first)
