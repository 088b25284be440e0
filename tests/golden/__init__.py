"""Pinned generated source: small functions in `cases`, the text of their derivatives in `expected`.

After a change of the compiler that alters the text, `python -m tests.golden` writes the new text;
read the difference before committing it. A derivative that nobody would have written by hand is a
fault of the compiler, even if its numbers are right.
"""
