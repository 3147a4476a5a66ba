"""The extract stage: chooses the sentences of each document that its summary is aligned to.

    vorlage extract --corpus corpus.jsonl --output extracts.jsonl

With `method: cosine` each summary sentence chooses the document sentences most similar to it, and the
extract is their union (Daumé & Marcu 2005, Section 5.1 and Figure 7). With `method: deletion` Marcu's
algorithm deletes sentences from the document until what is left is most similar to the summary; with
`deletion-each`, for each summary sentence until three are left, which is how the 2005 paper reads. With
`enabled: false` the extract is the whole document.

With `unit: clause` all methods compare units like clauses (`vorlage.extract.clauses`) with the
summary, as Marcu (1999) does; the extract is the sentences of the units that are chosen.

The extracts of a part of the corpus (`--part`) need the stem counts of the whole corpus (`--weights`, made by
`vorlage count-stems`); the concatenated extracts of all parts are those of the whole.
"""

from collections.abc import Iterator, Sequence
from importlib import import_module

import numpy as np

from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser
from vorlage.command.progress import Progress
from vorlage.documents.pair import Pair, read_pairs
from vorlage.extract import cosine
from vorlage.extract.clauses import clauses_of
from vorlage.extract.extracts import Extract, write_extracts
from vorlage.extract.stem_counts import StemCounts, content_stems, count_stems, read_counts, sentence_stems
from vorlage.files.parts import WHOLE, Part, add_part_option, count_lines, parse_part
from vorlage.settings import Extraction
from vorlage.types import LongInts, StrPath


def extract(pair: Pair, weights: cosine.StemWeights, settings: Extraction) -> Extract:
    """Return the extract of a pair.

    With any method, `by_summary_sentence` holds for each summary sentence the `sentences` sentences of
    the extract most similar to it. With the `unit` clause, the similarity of a document sentence is that of
    the most similar of its clauses, and deletion keeps the sentences of which it keeps a clause.
    """
    text = pair.document
    units = clauses_of(text) if settings.unit == "clause" else [[span] for span in text.sentences]
    first = np.cumsum([0, *map(len, units)])  # unit of each sentence, and the number of units
    words = (text.words[slice(*span)] for of_sentence in units for span in of_sentence)
    document = cosine.weigh(weights, [content_stems(unit, text.language) for unit in words])
    summary = cosine.weigh(weights, sentence_stems(pair.summary))
    similarity = np.maximum.reduceat(cosine.similarities(summary, document), first[:-1], axis=1)

    def sentences_of(kept: LongInts) -> LongInts:
        return np.unique(np.searchsorted(first, kept, "right") - 1)

    if not settings.enabled:
        chosen = np.arange(len(units))
    elif settings.method == "cosine":
        chosen = np.unique(cosine.most_similar(similarity, settings.sentences))
    else:
        # By a computed name: an edit of it makes no other extracts again.
        algorithm, _, each = settings.method.partition("-")
        kept_units = import_module(f"vorlage.extract.{algorithm}").kept_units
        matrix, count = document.matrix(), settings.sentences if each else None
        texts = summary.matrix() if each else [summary.matrix()]
        chosen = sentences_of(np.concatenate([kept_units(matrix, text, count) for text in texts]))
    ranked = chosen[cosine.most_similar(similarity[:, chosen], settings.sentences)]
    return Extract(pair.id, tuple(chosen.tolist()), tuple(map(tuple, ranked.tolist())))


def extract_all(
    corpus: StrPath, settings: Extraction, counts: StemCounts | None = None, part: Part = WHOLE
) -> Iterator[Extract]:
    """Yield the extract of each pair of a `corpus.jsonl`, or of a part of it, in order.

    `counts`: those of the whole corpus (default: read the file once more to count).
    """
    first, last = part.span(count_lines(corpus))
    weights = cosine.fit_weights(counts or count_stems(corpus))
    with Progress("extract", last - first) as progress:
        for pair in progress.count(read_pairs(corpus, part)):
            yield extract(pair, weights, settings)


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Choose the sentences of each document that its summary is aligned to."""
    parser = CommandParser("extract", main)
    parser.add_argument("--corpus", required=True, help="corpus.jsonl of the corpus stage")
    parser.add_argument("--weights", help="weights.json of `vorlage count-stems` (default: count stems)")
    add_part_option(parser)
    parser.add_argument("--output", required=True, help="file to write, extracts.jsonl")
    Extraction.add_options(parser)
    options = parser.parse(arguments)
    part = parse_part(options.part)
    counts = read_counts(options.weights) if options.weights else None
    if part != WHOLE and counts is None:
        raise InputError(
            "--part without --weights: the weights of stems depend on the whole corpus; "
            "make the file with vorlage count-stems"
        )
    settings = Extraction.from_options(options)
    write_extracts(options.output, extract_all(options.corpus, settings, counts, part))
