"""The functions whose derivatives are pinned, by topic."""
