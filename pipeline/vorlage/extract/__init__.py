"""Extracts: the document sentences that each summary is aligned to."""
