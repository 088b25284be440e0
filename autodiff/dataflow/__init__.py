"""What is used, needed, active, live: questions about Core that are asked of definitions."""
