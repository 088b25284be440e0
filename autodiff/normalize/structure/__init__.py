"""How `control` takes jumps out: one file for each kind of statement that a jump may leave."""
