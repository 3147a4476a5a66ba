"""Readers of the formats of corpora."""
