"""Tangent code for several directions at once: each tangent gets one more axis, in front."""
