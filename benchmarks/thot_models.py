"""IBM Model 1, HMM and Model 4 of sil-thot on the sentences of a corpus, for their time."""

import time

from pipeline.extract.extracts import read_extracted_pairs

ITERATIONS = 5


def sentence_pairs(corpus, extracts, limit):
    """Each summary sentence with the extract sentences most similar to it, of the first ``limit`` pairs."""
    made = []
    for number, (pair, extract) in enumerate(read_extracted_pairs(corpus, extracts)):
        if number == limit:
            break
        document, summary = pair.document, pair.summary
        for span, chosen in zip(summary.sentences, extract.by_summary_sentence, strict=True):
            source = [w for s in sorted(chosen) for w in document.words[slice(*document.sentences[s])]]
            made.append((source, summary.words[slice(*span)]))
    return made


def train(pairs, turned):
    """Seconds of training Model 1, HMM and Model 4, each from the one before.

    ``turned``: the summary is the source, not the document.
    """
    from thot.alignment import HmmAlignmentModel, Ibm1AlignmentModel, Ibm4AlignmentModel

    seconds, model = {}, None
    for name, kind in (
        ("IBM 1", Ibm1AlignmentModel),
        ("HMM", HmmAlignmentModel),
        ("Model 4", Ibm4AlignmentModel),
    ):
        began = time.perf_counter()
        model = kind(model) if model is not None else kind()
        for document, summary in pairs:
            model.add_sentence_pair(*((summary, document) if turned else (document, summary)))
        model.start_training()
        for _ in range(ITERATIONS):
            model.train()
        model.end_training()
        seconds[name] = time.perf_counter() - began
    return seconds
