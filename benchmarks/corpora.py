"""A synthetic corpus of the shape of the 2005 paper's (Daumé & Marcu 2005, Tables 2 and 3)."""

import json

import numpy as np

PAIRS = 2033
# Words of an extract and, on average, of a summary; sentences of both; words of the vocabulary.
EXTRACT_WORDS, EXTRACT_SENTENCES = 511, 21
SUMMARY_WORDS, SUMMARY_SENTENCES = 128.5, 6
VOCABULARY = 26_000


def write_corpus(path, pairs):
    """Write ``pairs`` pairs of Zipf-distributed words; two thirds of a summary are runs of its document."""
    rng = np.random.default_rng(1)
    weights = 1.0 / np.arange(1, VOCABULARY + 1)
    cumulative = np.cumsum(weights / weights.sum())

    def draw(size):
        return [f"w{x}" for x in np.searchsorted(cumulative, rng.random(size))]

    def sentences(words, count):
        return [" ".join([*part, "."]) for part in np.array_split(words, count)]

    with open(path, "w") as out:
        for number in range(pairs):
            # The full stops count too.
            document = draw(EXTRACT_WORDS - EXTRACT_SENTENCES)
            size = int(SUMMARY_WORDS) + number % 2 - SUMMARY_SENTENCES
            summary = []
            while len(summary) < size:
                first = int(rng.integers(0, len(document) - 8))
                summary += document[first : first + int(rng.integers(1, 8))] + draw(2)
            record = {
                "id": str(number),
                "document": sentences(document, EXTRACT_SENTENCES),
                "summary": sentences(summary[:size], SUMMARY_SENTENCES),
            }
            out.write(json.dumps(record) + "\n")
