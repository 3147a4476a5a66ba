"""Alignments: the links and phrase pairs of a pair, their stretches, and `alignments.jsonl`."""
