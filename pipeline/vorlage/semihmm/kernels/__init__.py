"""Kernels: recursions over arrays. They know no files, settings or strings."""
