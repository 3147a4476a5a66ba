"""Extracts as the extract stage writes them (`extracts.jsonl`) and later stages read them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, zip_longest

import numpy as np

from vorlage.command.errors import InputError
from vorlage.documents.pair import Pair, read_pairs
from vorlage.files.jsonl import read_jsonl, write_jsonl
from vorlage.files.parts import WHOLE, Part
from vorlage.text.tokenized import Text, number_sentences
from vorlage.types import Ints, JsonObject, LongInts, StrPath


@dataclass(frozen=True)
class Extract:
    """The document sentences that the summary of pair `id` is aligned to.

    `sentences`: indices of document sentences, ascending and never empty. `by_summary_sentence`: for each
    summary sentence, the sentences of the extract most similar to it, most similar first.
    """

    id: str
    sentences: tuple[int, ...]
    by_summary_sentence: tuple[tuple[int, ...], ...]

    def positions(self, document: Text) -> LongInts:
        """Return the index in `document` of each token of the extract, in order."""
        return np.concatenate([np.arange(*document.sentences[s]) for s in self.sentences])

    def sentence_numbers(self, document: Text) -> Ints:
        """Return the index into `sentences` for each token of the extract, in order."""
        return number_sentences(document.sentences[s] for s in self.sentences)

    def to_json(self) -> JsonObject:
        """Return the content of one line of `extracts.jsonl`."""
        return {"id": self.id, "sentences": self.sentences, "by_summary_sentence": self.by_summary_sentence}


def write_extracts(path: StrPath, extracts: Iterable[Extract]) -> None:
    """Write extracts to a file, one per line, in the order given."""
    write_jsonl(path, (extract.to_json() for extract in extracts))


def read_extracts(path: StrPath, part: Part = WHOLE) -> Iterator[Extract]:
    """Yield the extracts of a file, or of a part of it, in order.

    Raise `InputError` for a malformed line.
    """
    for number, record in read_jsonl(path, part):
        try:
            ranked = tuple(map(tuple, record["by_summary_sentence"]))
            yield Extract(record["id"], tuple(record["sentences"]), ranked)
        except (KeyError, TypeError) as error:
            raise InputError(
                f"{path}, line {number}: not an extract ({error!r}); make it with vorlage extract"
            ) from None


def read_extracted_pairs(
    corpus: StrPath, extracts: StrPath, part: Part = WHOLE
) -> Iterator[tuple[Pair, Extract]]:
    """Yield `(Pair, Extract)` from a corpus and its extracts, or from a part of them, in order.

    Raise `InputError` if the two files do not belong together: other pairs, another order, or an
    extract that names sentences that its document lacks.
    """
    advice = f"make the extracts again from {corpus} with `vorlage extract`"
    for pair, extract in zip_longest(read_pairs(corpus, part), read_extracts(extracts, part)):
        if pair is None or extract is None or pair.id != extract.id:
            expected = f"the extract of pair {pair.id}" if pair else "no more extracts"
            found = f"the extract of pair {extract.id}" if extract else "no more extracts"
            raise InputError(f"{extracts}: expected {expected}, found {found}; {advice}")
        named = {*extract.sentences, *chain.from_iterable(extract.by_summary_sentence)}
        if not extract.sentences or not 0 <= min(named) <= max(named) < len(pair.document.sentences):
            raise InputError(
                f"{extracts}: the extract of {pair.id} names sentences its document does not have; {advice}"
            )
        if len(extract.by_summary_sentence) not in (0, len(pair.summary.sentences)):
            raise InputError(f"{extracts}: the extract of {pair.id} is for another summary; {advice}")
        yield pair, extract
