"""NLTK's patterns without its limit of five seconds by the clock.

With it what can be read would depend on how fast and how busy a machine is: a document of 200,000 words takes
longer. The patterns that are used here take time in proportion to the text (``tests/hostile``).
"""

from pipeline.text.nltk import nltk


def lift_time_limit():
    """Let NLTK's patterns take the time they need."""
    nltk.redos.DEFAULT_TIMEOUT = None
