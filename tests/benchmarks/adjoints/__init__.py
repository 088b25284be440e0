"""The most used rules beside the adjoints that one would write by hand, topic by topic."""
