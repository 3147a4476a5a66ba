"""Texts: sentences, tokens, stems, tags, languages, WordNet's tables."""

import os

if os.path.expanduser("~") == "~":  # a user of a container without a home, for whom NLTK would not start
    os.environ["HOME"] = os.sep
