"""What needs JAX is imported by `test_ports.py` alone, which is skipped without it."""

collect_ignore = ["peers.py", "ports"]
