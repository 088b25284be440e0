"""Derivatives that the user declares: of solutions, of what is computed again."""
