"""Core as text: what prints inline, which values share a name, statements, comments."""
