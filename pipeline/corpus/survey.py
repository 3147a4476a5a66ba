"""The first look at a corpus and its gold, before anything is tokenized."""

from collections import defaultdict
from typing import NamedTuple

from pipeline.corpus.gold import read_gold
from pipeline.corpus.readers.registry import read
from pipeline.errors import InputError


class Found(NamedTuple):
    """Where a pair stands in the corpus, and why it cannot be used (None where it can)."""

    where: str
    problem: str | None


def survey(corpus):
    """All pairs of the corpus that ``corpus`` (the section of the settings) names: a dict, id → Found.

    Raises :class:`InputError` for an id that is not text on one line, for one that comes twice, and
    where there are no pairs.
    """
    pairs = {}
    for record in read(corpus):
        if not record.id.strip() or not record.id.isprintable():
            raise InputError(f"{record.where}: id {record.id!r} must be some text on one line; change it")
        if record.id in pairs:
            raise InputError(
                f"{record.where}: pair {record.id} is already at {pairs[record.id].where}; "
                "ids must be unique, change one"
            )
        pairs[record.id] = Found(record.where, record.problem)
    if not pairs:
        raise InputError(f"{corpus['path']}: no pairs in it; check `corpus.path` and `corpus.reader`")
    return pairs


def read_annotations(path, ids):
    """The gold of a file: a dict, id → list of ``(where, Gold)``.

    Raises :class:`InputError` for gold of a pair that is not among ``ids`` and for a second line by the
    same annotator on the same pair. Spans are not checked, which takes the tokens.
    """
    annotations = defaultdict(list)
    for number, gold in read_gold(path):
        where = f"{path}, line {number}"
        if gold.id not in ids:
            raise InputError(
                f"{where}: gold for pair {gold.id}, which is not in the corpus; remove or correct it"
            )
        if any(gold.annotator == other.annotator for _, other in annotations[gold.id]):
            raise InputError(
                f"{where}: annotator {gold.annotator!r} has annotated pair {gold.id} before; "
                "give each annotator one line a pair"
            )
        annotations[gold.id].append((where, gold))
    return dict(annotations)
