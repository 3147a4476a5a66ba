"""Extracts as the extract stage writes them (``extracts.jsonl``) and later stages read them."""

from dataclasses import dataclass
from itertools import chain, zip_longest

import numpy as np

from pipeline.corpus.pair import read_pairs
from pipeline.io.jsonl import read_jsonl, write_jsonl
from pipeline.io.parts import WHOLE, part_lines
from pipeline.run.errors import InputError


@dataclass(frozen=True)
class Extract:
    """The document sentences that the summary of pair ``id`` is aligned to.

    ``sentences``: indices of document sentences, ascending; never empty. ``by_summary_sentence``: for
    each summary sentence the sentences of the extract most similar to it, most similar first.
    """

    id: str
    sentences: tuple
    by_summary_sentence: tuple

    def positions(self, document):
        """The document token index of each extract token, in order: maps the extract to the document.

        ``document``: the :class:`pipeline.corpus.tokenize.Text`. Returns an int array.
        """
        return np.concatenate([np.arange(*document.sentences[s]) for s in self.sentences])

    def sentence_numbers(self, document):
        """The index into ``sentences`` of the sentence of each extract token, beside :meth:`positions`."""
        lengths = [end - start for start, end in (document.sentences[s] for s in self.sentences)]
        return np.repeat(np.arange(len(lengths)), lengths)

    def to_json(self):
        """One line of ``extracts.jsonl``."""
        return {"id": self.id, "sentences": self.sentences, "by_summary_sentence": self.by_summary_sentence}

    @classmethod
    def from_json(cls, record):
        """The inverse of :meth:`to_json`; raises ValueError or TypeError where it is none."""
        sentences, ranked = record["sentences"], record["by_summary_sentence"]
        if not isinstance(record["id"], str) or not _whole_numbers(sentences):
            raise ValueError("`id` is a text and `sentences` are whole numbers")
        if sentences != sorted(set(sentences)):
            raise ValueError("`sentences` ascend")
        if not isinstance(ranked, list) or not all(map(_whole_numbers, ranked)):
            raise ValueError("`by_summary_sentence` has lists of whole numbers")
        return cls(record["id"], tuple(sentences), tuple(map(tuple, ranked)))


def _whole_numbers(value):
    return isinstance(value, list) and all(type(number) is int for number in value)


def write_extracts(path, extracts):
    """Write extracts to a file, one a line, in the order given."""
    write_jsonl(path, (extract.to_json() for extract in extracts))


def read_extracts(path, part=WHOLE):
    """Yield the extracts of a file in order, or of a part of it.

    Raises :class:`InputError` for a malformed line.
    """
    for number, record in read_jsonl(path, part_lines(path, part)):
        yield make_extract(path, number, record)


def make_extract(path, number, record):
    """The extract of a record of an ``extracts.jsonl``; raises :class:`InputError` for another record."""
    try:
        return Extract.from_json(record)
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(
            f"{path}, line {number}: not an extract ({error!r}); make it with python -m pipeline.extract"
        ) from None


def read_extracted_pairs(corpus, extracts, part=WHOLE):
    """Yield ``(Pair, Extract)`` from a ``corpus.jsonl`` and its ``extracts.jsonl``, in order, or of a part.

    Raises :class:`InputError` where the two files do not belong together: other pairs, another order,
    or an extract that names sentences its document does not have.
    """
    mend = f"make the extracts again from {corpus} with `python -m pipeline.extract`"
    for pair, extract in zip_longest(read_pairs(corpus, part), read_extracts(extracts, part)):
        if pair is None or extract is None or pair.id != extract.id:
            where = f"pair {pair.id} of the corpus" if pair else "the end of the corpus"
            found = f"the extract of {extract.id}" if extract else "no extract"
            raise InputError(f"{extracts}: at {where} stands {found}; {mend}")
        named = {*extract.sentences, *chain.from_iterable(extract.by_summary_sentence)}
        if not extract.sentences or not 0 <= min(named) <= max(named) < len(pair.document.sentences):
            raise InputError(
                f"{extracts}: the extract of {pair.id} names sentences its document does not have; {mend}"
            )
        if len(extract.by_summary_sentence) not in (0, len(pair.summary.sentences)):
            raise InputError(f"{extracts}: the extract of {pair.id} is of another summary; {mend}")
        yield pair, extract
