"""Transformations made of derivatives: tangents, pullbacks, Jacobians, Hessians."""
