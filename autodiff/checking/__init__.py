"""Derivatives compared with differences, and whose is wrong."""
