"""Functions of the user's with hooks in place of their operations."""
