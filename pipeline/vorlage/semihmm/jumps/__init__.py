"""The jump models: a module each, found by its file."""
