"""The derivative object: what is differentiated, for which arguments, compiled once."""
