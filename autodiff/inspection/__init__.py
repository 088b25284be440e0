"""Derivatives to look at and to keep: graphs, drawings, files."""
