"""The stages that prepare a corpus, a command each: corpus, gold, extract, encode, parse."""
