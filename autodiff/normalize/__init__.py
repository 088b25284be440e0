"""Python in fewer forms: sugar, jumps."""
