"""The first look at a corpus and its gold, before anything is tokenized."""

from collections import defaultdict
from typing import NamedTuple

from pipeline.corpus.gold import read_gold
from pipeline.corpus.new import count_distinct
from pipeline.corpus.readers.record import check_id
from pipeline.corpus.readers.registry import read
from pipeline.run.errors import InputError


class Problem(NamedTuple):
    """Why a pair cannot be used, its number in the corpus, from 0, and where it stands."""

    number: int
    where: str
    reason: str


class Survey(NamedTuple):
    """How many pairs a corpus has, and those that cannot be used: a dict, id → Problem, in order."""

    count: int
    problems: dict


def survey(corpus, annotations):
    """The :class:`Survey` of the corpus that ``corpus`` (the section of the settings) names.

    Raises :class:`InputError` for an id that is not text on one line, for one that comes twice, where there
    are no pairs, and for gold (of :func:`read_annotations`) of a pair that is not there. Holds 16 bytes a
    pair, and the ids and places of those that cannot be used.
    """
    problems, missing = {}, dict.fromkeys(annotations)

    def ids():
        for number, record in enumerate(read(corpus)):
            check_id(record.id, record.where)
            if record.problem:
                problems[record.id] = Problem(number, record.where, record.problem)
            missing.pop(record.id, None)
            yield record.where, record.id

    count = count_distinct(ids)
    if not count:
        raise InputError(f"{corpus['path']}: no pairs in it; check `corpus.path` and `corpus.reader`")
    for name in missing:
        where, _ = annotations[name][0]
        raise InputError(f"{where}: gold for pair {name}, which is not in the corpus; remove or correct it")
    return Survey(count, problems)


def read_annotations(path):
    """The gold of a file: a dict, id → list of ``(where, Gold)``.

    Raises :class:`InputError` for a second line by the same annotator on the same pair. Spans are not
    checked, which takes the tokens.
    """
    annotations = defaultdict(list)
    for number, gold in read_gold(path):
        where = f"{path}, line {number}"
        if any(gold.annotator == other.annotator for _, other in annotations[gold.id]):
            raise InputError(
                f"{where}: annotator {gold.annotator!r} has annotated pair {gold.id} before; "
                "give each annotator one line a pair"
            )
        annotations[gold.id].append((where, gold))
    return dict(annotations)
