"""Leaner operations in the reverse sweep: passes over Core that change the text, never the numbers
beyond rounding.
"""
