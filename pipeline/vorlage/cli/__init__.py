"""The commands of the core: align, attribute, train, describe, export, fetch."""
