"""What stands for functions that are not written in Python, or are not read."""
