"""The language, construct by construct: a corpus of small programs, and their derivatives."""
