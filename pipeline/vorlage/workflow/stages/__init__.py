"""Commands that prepare a corpus: corpus, gold, extract, encode, parse; and commands that count and join."""
