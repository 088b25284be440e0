"""The steps of the compiler that join several passes."""
