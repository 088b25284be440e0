"""Reverse mode: activity, shadows, the reverse sweep, and what it keeps of the forward sweep."""
