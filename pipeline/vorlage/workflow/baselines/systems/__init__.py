"""The systems to compare with: a module for each family, found by its file."""
