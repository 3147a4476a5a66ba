"""The Cut & Paste baseline: summary sentences decomposed into phrases cut from the document (Jing 2002).

    python -m pipeline.baselines.cutpaste --corpus corpus.jsonl --extracts extracts.jsonl \\
        --output alignments.jsonl

As in Daumé & Marcu 2005 (Section 5.1.2) the extract takes the place of the document, words match when
they are equal up to stem, and phrases of fewer than ``run`` words are left out.
"""

from itertools import groupby

import numpy as np

from pipeline import settings
from pipeline.alignments import Alignment, Link
from pipeline.baselines.decomposition import (
    NOWHERE,
    best_positions,
    cancel_mismatches,
    cancel_short,
    occurrences,
    phrases,
)
from pipeline.baselines.system import arguments, write_all
from pipeline.fingerprint import digest, fingerprint
from pipeline.run.errors import command
from pipeline.run.progress import start_log
from pipeline.text.words import is_stop_word, stem

SYSTEM = "cutpaste"
NO_POSITION = np.array([], dtype=int)


def align(pair, extract, options, mark="", system=SYSTEM):
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
    return Alignment(pair.id, system, None, document, summary, links, mark)


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


@command
def main(given=None):
    """Run the baseline from the command line."""
    parser = arguments("pipeline.baselines.cutpaste", __doc__)
    parser.add_argument("--system", default=SYSTEM, help=f"name of the system (default: {SYSTEM})")
    settings.add_options(parser, SYSTEM)
    options = parser.parse_args(given)
    start_log(options.log)
    chosen = settings.from_options(options, SYSTEM)
    mark = digest((fingerprint("pipeline.baselines.cutpaste"), chosen))
    write_all(
        options, options.system, lambda pair, extract: align(pair, extract, chosen, mark, options.system)
    )


if __name__ == "__main__":
    main()
