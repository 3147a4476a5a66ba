"""IBM Model 1, HMM and Model 4 of sil-thot on the sentences of a corpus, to time them."""

import time
from itertools import islice
from pathlib import Path

from vorlage.baselines import bitext
from vorlage.baselines.translation import longest_sentence, make_model
from vorlage.extract.extracts import read_extracted_pairs

ITERATIONS = 5

Bitext = list[tuple[list[str], list[str]]]


def sentence_pairs(corpus: Path, extracts: Path, limit: int) -> Bitext:
    """Return the document and summary words of the sentence pairs of the first `limit` pairs."""
    pairs, longest = [], longest_sentence()
    for pair, extract in islice(read_extracted_pairs(corpus, extracts), limit):
        for sides in bitext.sentence_pairs(pair, extract, longest):
            document = [pair.document.words[j] for j in sides.document]
            pairs.append((document, [pair.summary.words[i] for i in sides.summary]))
    return pairs


def train(pairs: Bitext, from_summary: bool) -> dict[str, float]:
    """Train Model 1, HMM and Model 4 by all threads, each from the one before; return the seconds of each.

    `from_summary`: the summary is the source, not the document.
    """
    seconds, model = {}, None
    for name, label in (("ibm1", "IBM 1"), ("hmm", "HMM"), ("model4", "Model 4")):
        began = time.perf_counter()
        start, model = model, make_model(name, model)
        if start is None:  # later models take the sentences of the first
            for document, summary in pairs:
                model.add_sentence_pair(*((summary, document) if from_summary else (document, summary)))
        model.start_training()
        for _ in range(ITERATIONS):
            model.train()
        model.end_training()
        seconds[label] = time.perf_counter() - began
    return seconds
