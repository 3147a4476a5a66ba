"""Parse trees: parsers, and the trees of a file as arrays."""
