"""IBM Model 1, HMM and Model 4 of sil-thot on the sentences of a corpus, for their time."""

import time
from itertools import islice

from pipeline.baselines import bitext
from pipeline.baselines.translation import longest_sentence, make_model
from pipeline.extract.extracts import read_extracted_pairs

ITERATIONS = 5


def sentence_pairs(corpus, extracts, limit):
    """The words of both sides of the sentence pairs of the first ``limit`` pairs."""
    made, longest = [], longest_sentence()
    for pair, extract in islice(read_extracted_pairs(corpus, extracts), limit):
        for sides in bitext.sentence_pairs(pair, extract, longest):
            document = [pair.document.words[j] for j in sides.document]
            made.append((document, [pair.summary.words[i] for i in sides.summary]))
    return made


def train(pairs, turned):
    """Seconds of training Model 1, HMM and Model 4, each from the one before, by all threads.

    ``turned``: the summary is the source, not the document.
    """
    seconds, model = {}, None
    for name, label in (("ibm1", "IBM 1"), ("hmm", "HMM"), ("model4", "Model 4")):
        began = time.perf_counter()
        start, model = model, make_model(name, model)
        if start is None:  # the later ones have the sentences of the first
            for document, summary in pairs:
                model.add_sentence_pair(*((summary, document) if turned else (document, summary)))
        model.start_training()
        for _ in range(ITERATIONS):
            model.train()
        model.end_training()
        seconds[label] = time.perf_counter() - began
    return seconds
