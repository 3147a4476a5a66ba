"""Readers of formats whose libraries could fail on a bad file: each runs in a process of its own."""
