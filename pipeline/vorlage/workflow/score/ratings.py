"""Ratings of extracts and of decompositions by people, as the rating page saves them (`ratings.jsonl`)."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import Annotated, NamedTuple

from pydantic import Field, StrictInt

from vorlage.command.errors import InputError
from vorlage.files.jsonl import parse_form, read_jsonl
from vorlage.types import StrPath
from vorlage.workflow.tables import Row

RATING_COLUMNS = ("form", "system", "annotator", "against", "sentences", "mean", "shares", "kappa")


class RatingForm(NamedTuple):
    """What people are asked: a `title`, a `question`, and the `answers`, whose ratings count from 0."""

    title: str
    question: str
    answers: tuple[str, ...]


FORMS: dict[str, RatingForm] = {
    # Daumé & Marcu (2005), Section 5.1.
    "extracts": RatingForm(
        "Rate extracts",
        "How much of the information in the summary sentence do these document sentences contain?",
        ("little or none", "some", "all"),
    ),
    # Jing (2002), Section 4.2: all three questions of the decomposition problem are answered correctly.
    "decompositions": RatingForm(
        "Rate decompositions",
        "Is it right whether the sentence reuses the document, which phrases it takes, and from where?",
        ("no", "yes"),
    ),
}


@dataclass(frozen=True)
class Rating:
    """A line of `ratings.jsonl`: how an annotator rates a summary sentence of pair `id`, from 0.

    `system`: what made the extract or the decomposition. `sentence`: its number in the summary, from 0.
    """

    id: str
    sentence: Annotated[StrictInt, Field(ge=0)]
    form: str
    system: str
    annotator: str
    rating: Annotated[StrictInt, Field(ge=0)]


def read_ratings(paths: Iterable[StrPath]) -> list[Rating]:
    """Return the ratings of files; raise `InputError` for a malformed one."""
    ratings = []
    for path in paths:
        for number, record in read_jsonl(path):
            where = f"{path}, line {number}"
            rating = parse_form(Rating, record, where)
            if rating.form not in FORMS:
                raise InputError(f"{where}: form is {rating.form!r}; it is one of {', '.join(FORMS)}")
            if rating.rating >= len(FORMS[rating.form].answers):
                last = len(FORMS[rating.form].answers) - 1
                raise InputError(
                    f"{where}: rating is {rating.rating}; {rating.form} are rated from 0 to {last}"
                )
            ratings.append(rating)
    return ratings


def rating_table(ratings: Iterable[Rating]) -> list[Row]:
    """Return a row for each annotator of a form and system, and one for each two annotators.

    `mean` and `shares`, of the ratings from 0 on, are those of `annotator`; `kappa` is Cohen's κ over the
    sentences that both `annotator` and `against` have rated. The last rating of a sentence counts.
    """
    rated: defaultdict[tuple[str, str], defaultdict[str, dict[tuple[str, int], int]]]
    rated = defaultdict(lambda: defaultdict(dict))
    for r in ratings:
        rated[r.form, r.system][r.annotator][r.id, r.sentence] = r.rating
    rows: list[Row] = []
    for (form, system), by_annotator in sorted(rated.items()):
        head: Row = {**dict.fromkeys(RATING_COLUMNS, ""), "form": form, "system": system}
        for annotator, by_sentence in sorted(by_annotator.items()):
            counts = Counter(by_sentence.values())
            shares = " ".join(f"{counts[k] / len(by_sentence):.3f}" for k in range(len(FORMS[form].answers)))
            mean = sum(by_sentence.values()) / len(by_sentence)
            rows.append(
                head | {"annotator": annotator, "sentences": len(by_sentence), "mean": mean, "shares": shares}
            )
        for first, second in combinations(sorted(by_annotator), 2):
            pairs = [
                (rating, by_annotator[second][key])
                for key, rating in by_annotator[first].items()
                if key in by_annotator[second]
            ]
            agreement: Row = {"annotator": first, "against": second, "sentences": len(pairs)}
            rows.append(head | agreement | {"kappa": _kappa(pairs)})
    return rows


def _kappa(pairs: list[tuple[int, int]]) -> float:
    """Return Cohen's κ of pairs of ratings (Cohen 1960); NaN where chance alone agrees, or without pairs."""
    if not pairs:
        return float("nan")
    agreed = sum(first == second for first, second in pairs) / len(pairs)
    counts = [Counter(ratings) for ratings in zip(*pairs, strict=True)]
    chance = sum(counts[0][rating] * counts[1][rating] for rating in counts[0]) / len(pairs) ** 2
    return float("nan") if chance == 1 else (agreed - chance) / (1 - chance)
