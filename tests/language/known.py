"""Programs that an adversary found to be wrong and that still are, and why. The list is to shrink.

Each is an expected failure, strictly: one that is mended has to leave the list.
"""

WRONG: dict[str, str] = {}
