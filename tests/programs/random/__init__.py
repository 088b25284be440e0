"""Random programs: gradient against finite differences."""
