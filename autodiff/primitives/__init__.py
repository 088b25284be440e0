"""The builder, and the table: the only place that knows what a library does to memory."""
