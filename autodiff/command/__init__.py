"""`python -m autodiff`: one file a command, with its `options` and what it does, `run`."""
