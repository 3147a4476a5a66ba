"""Decomposition: how each summary sentence was made, by Jing's operations."""
