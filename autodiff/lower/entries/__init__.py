"""What a variable holds while lowering: values, boxes of known parts, memory, functions."""
