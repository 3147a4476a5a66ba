"""Checks of what a text says differently from its document, by rules at linked places.

They are an extension: attribution works without them, and then gives sources and says which words have none.
They may import `vorlage.attribution.reading`, `vorlage.text` and `vorlage.types`.
"""

# What attribution asks: the module with `check` and `note_languages`.
CHECKER = "vorlage.checks.check"
