"""Forward mode: a function in Core with the tangent of each active value beside it."""
