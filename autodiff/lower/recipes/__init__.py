"""What stands for functions of the library: Python that is lowered in their place."""
