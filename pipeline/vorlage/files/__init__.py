"""Files: JSON lines, tables, arrays, parts of a corpus, digests, outputs written whole or not at all."""
