"""Documents and pairs as users bring them: text of files of many formats, records, pairs of texts."""
