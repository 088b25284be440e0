"""The tree of a function, from its source."""

import autodiff.needed  # noqa: F401 (what is not installed is said first)
