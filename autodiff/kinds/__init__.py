"""What is known of a value before anything runs: kinds, sizes, indexing."""
