"""A rule filled in for the kinds at hand: the text of a template, simplified."""
