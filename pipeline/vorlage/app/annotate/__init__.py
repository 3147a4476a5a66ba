"""Annotation: pages on which people mark links and rate sentences, and the gold file that they fill."""
