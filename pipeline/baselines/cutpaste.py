"""The Cut & Paste baseline: summary sentences decomposed into phrases cut from the document (Jing 2002).

    python -m pipeline.baselines.cutpaste --corpus corpus.jsonl --extracts extracts.jsonl \\
        --output alignments.jsonl

As in Daumé & Marcu 2005 (Section 5.1.2) the extract takes the place of the document, words match when
they are equal up to stem, and phrases of fewer than ``run`` words are left out.
"""

import argparse
from itertools import groupby

import numpy as np

from pipeline import settings
from pipeline.alignments import Alignment, Link, write_alignments
from pipeline.baselines.decomposition import (
    NOWHERE,
    best_positions,
    cancel_mismatches,
    cancel_short,
    occurrences,
    phrases,
)
from pipeline.errors import command
from pipeline.extract.extracts import read_extracted_pairs, read_extracts
from pipeline.fingerprint import digest, fingerprint
from pipeline.progress import Progress, start_log
from pipeline.words import is_stop_word, stem

SYSTEM = "cutpaste"
NO_POSITION = np.array([], dtype=int)


def align(pair, extract, options, mark=""):
    """The :class:`Alignment` of a pair; ``options``: the settings ``cutpaste``; ``mark``: its fingerprint.

    Sentence numbers count the sentences of the extract.
    """
    form = stem if options["stem"] else str.lower
    document, summary = pair.document.words, pair.summary.words
    sentences = np.full(len(document), NOWHERE)
    sentences[extract.positions(pair.document)] = extract.sentence_numbers(pair.document)
    places = occurrences(
        form(word) if number != NOWHERE else None for word, number in zip(document, sentences, strict=True)
    )
    links = []
    for start, end in pair.summary.sentences:
        words = summary[start:end]
        candidates = [places.get(form(word), NO_POSITION) for word in words]
        positions = best_positions(candidates, sentences, options["weights"], options["window"])
        content = np.array([not is_stop_word(word) for word in words])
        positions = cancel_mismatches(positions, sentences, content)
        positions = cancel_short(positions, sentences, options["run"])
        links.extend(_links(words, document, positions, phrases(positions, sentences), start))
    return Alignment(pair.id, SYSTEM, None, document, summary, links, mark)


def _links(words, document, positions, spans, offset):
    """Links in order of the summary: runs of equal words are phrases, words equal up to stem stand alone.

    So the soft rule reads every phrase as its diagonal. A word from nowhere is a null link.
    """
    pieces = [(word, word + 1) for word in np.flatnonzero(positions == NOWHERE).tolist()]
    for span in spans:
        for equal, run in groupby(range(*span), lambda i: words[i].lower() == document[positions[i]].lower()):
            run = list(run)
            pieces += [(run[0], run[-1] + 1)] if equal else [(word, word + 1) for word in run]
    for start, end in sorted(pieces):
        position = int(positions[start])
        source = None if position == NOWHERE else (position, position + end - start)
        yield Link((offset + start, offset + end), source)


def align_all(corpus, extracts, options):
    """Yield the alignment of each pair of a corpus and its extracts, in order."""
    mark = digest((fingerprint("pipeline.baselines.cutpaste"), options))
    total = sum(1 for _ in read_extracts(extracts))
    with Progress(SYSTEM, total) as progress:
        for pair, extract in read_extracted_pairs(corpus, extracts):
            yield align(pair, extract, options, mark)
            progress.advance()


@command
def main(arguments=None):
    """Run the baseline from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m pipeline.baselines.cutpaste", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--corpus", required=True, help="corpus.jsonl of the corpus stage")
    parser.add_argument("--extracts", required=True, help="extracts.jsonl of the extract stage")
    parser.add_argument("--output", required=True, help="file to write, alignments.jsonl")
    parser.add_argument("--log", help="log file (default: standard error)")
    settings.add_options(parser, SYSTEM)
    options = parser.parse_args(arguments)
    start_log(options.log)
    chosen = settings.from_options(options, SYSTEM)
    write_alignments(options.output, align_all(options.corpus, options.extracts, chosen))


if __name__ == "__main__":
    main()
