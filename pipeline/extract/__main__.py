"""The extract stage: which sentences of each document its summary is aligned to.

    python -m pipeline.extract --corpus corpus.jsonl --output extracts.jsonl

With ``method: cosine`` each summary sentence chooses the document sentences most similar to it and the
extract is their union (Daumé & Marcu 2005, Section 5.1 and Figure 7); with ``method: deletion`` the
extract is what Marcu's algorithm leaves of the document; with ``enabled: false`` it is the whole document.

Extracts of a part of the corpus (``--part``) are made with the counts of stems of the whole (``--weights``,
see :mod:`pipeline.extract.stems`); those of all parts, one behind the other, are those of the whole.
"""

import argparse

import numpy as np

from pipeline import settings
from pipeline.corpus.pair import read_pairs
from pipeline.extract import cosine
from pipeline.extract.deletion import kept_sentences
from pipeline.extract.extracts import Extract, write_extracts
from pipeline.extract.stems import StemCounts, count_stems
from pipeline.io.parts import WHOLE, add_part, line_offsets, parse_part
from pipeline.run.errors import InputError, command
from pipeline.run.progress import Progress, start_log


def extract(pair, vectorizer, enabled, method, sentences):
    """The :class:`Extract` of a pair; ``enabled``, ``method`` and ``sentences`` are the stage's settings.

    ``by_summary_sentence`` holds for each summary sentence, whichever the method, the ``sentences``
    sentences of the extract most similar to it.
    """
    document = cosine.weigh(vectorizer, pair.document)
    summary = cosine.weigh(vectorizer, pair.summary)
    similarity = cosine.similarities(summary, document)
    if not enabled:
        chosen = np.arange(document.shape[0])
    elif method == "deletion":
        chosen = kept_sentences(document, summary)
    else:
        chosen = np.unique(cosine.most_similar(similarity, sentences))
    ranked = [chosen[row] for row in cosine.most_similar(similarity[:, chosen], sentences)]
    return Extract(pair.id, tuple(chosen.tolist()), tuple(tuple(row.tolist()) for row in ranked))


def extract_all(corpus, enabled, method, sentences, counts=None, part=WHOLE):
    """Yield the extract of each pair of a ``corpus.jsonl``, or of a part of it, in order.

    ``counts``: the :class:`~pipeline.extract.stems.StemCounts` of the whole corpus; without them the file is
    read twice.
    """
    vectorizer = cosine.fit_weights(counts or count_stems(corpus))
    first, last = part.span(len(line_offsets(corpus)) - 1)
    with Progress("extract", last - first) as progress:
        for pair in read_pairs(corpus, part):
            yield extract(pair, vectorizer, enabled, method, sentences)
            progress.advance()


@command
def main(arguments=None):
    """Run the stage from the command line."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.extract", description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", required=True, help="corpus.jsonl of the corpus stage")
    parser.add_argument("--weights", help="weights.json of pipeline.extract.stems (default: count first)")
    add_part(parser)
    parser.add_argument("--output", required=True, help="file to write, extracts.jsonl")
    parser.add_argument("--log", help="log file (default: standard error)")
    settings.add_options(parser, "extract")
    options = parser.parse_args(arguments)
    start_log(options.log)
    part, counts = parse_part(options.part), options.weights and StemCounts.read(options.weights)
    if part != WHOLE and not counts:
        raise InputError(
            "--part without --weights: stems weigh by their counts in the whole corpus; "
            "make the file with python -m pipeline.extract.stems"
        )
    chosen = settings.from_options(options, "extract")
    write_extracts(options.output, extract_all(options.corpus, **chosen, counts=counts, part=part))


if __name__ == "__main__":
    main()
