"""The decoder `rescored`: boosted trees, fitted to gold, give each cell that may be a link a probability.

Everything else remains that of the model: the posteriors of sources, and of words without a source. A feature
describes the two words of a cell and what is around them. No feature describes whole texts, such as their
lengths or the share of their words that have links: trees that are fitted to these fail on other texts.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from vorlage.command.errors import InputError
from vorlage.documents.pair import Pair
from vorlage.files.arrays import (
    TEXT,
    array_to_lines,
    check_arrays,
    lines_to_array,
    load_arrays,
    save_arrays,
)
from vorlage.files.digests import digest
from vorlage.files.jsonl import parse_json
from vorlage.semihmm.decode.direction import AlignmentInput
from vorlage.semihmm.decode.posteriors import PairPosteriors, find_near, keep_best
from vorlage.text.words import is_punctuation, is_stop_word, number_stems, stem
from vorlage.types import AnyArray, Floats, Ints, JsonObject, StrPath, Vectors

if TYPE_CHECKING:
    import lightgbm

MAKER = "vorlage fit-rescorer"

# A cell may be a link if its posterior is above SMALL, or if it is beside one of STRONG or more.
SMALL, STRONG = 0.002, 0.5
STEPS = (-1, 0, 1)
BESIDE = [(down, right) for down in STEPS for right in STEPS if down or right]
AROUND = (*BESIDE, (-2, -2), (2, 2), (0, -2), (0, 2), (-2, 0), (2, 0))
# Numbers count words on the way to a neighbour: down in the summary, right in the document.
NAMES = (
    *("posterior", "row_other", "column_other", "row_rest", "column_rest"),
    *(f"posterior{down:+}{right:+}" for down, right in AROUND),
    "equal",
    *(f"stem{step:+}" for step in STEPS),
    *(f"{side}_class{step:+}" for side in ("summary", "document") for step in STEPS),
    *("summary_information", "document_information"),
    *("cosine", "cosine_row", "cosine_column", "cosine-1", "cosine+1"),
)
OUTSIDE, PUNCTUATION, STOP, NUMBER, CAPITAL, OTHER = range(-1, 5)


class Cells(NamedTuple):
    """The cells that may be links: their `rows` and `columns` in the posteriors of the links of a pair.

    `features` (cells, features), by `NAMES`: of its row and its column, a cell has the largest *other*
    posterior and the sum of the *rest*; of its cosine, the distance from the largest other one in both.
    """

    rows: Ints
    columns: Ints
    features: Vectors


def make_cells(pair: Pair, pair_input: AlignmentInput, links: Floats) -> Cells:
    """Return the cells of a pair that may be links.

    Args:
        pair: the pair.
        pair_input: the same; without similarities, the features of cosines are 0.
        links: the adjusted posteriors of its links (T, n).
    """
    arrays, language = pair_input.pair, pair.summary.language
    may_be_links = links > SMALL
    may_be_links[find_near(links, STRONG)] = True
    rows, columns = cells = np.nonzero(may_be_links)
    document = [pair.document.words[i] for i in pair_input.positions.tolist()]
    stems = number_stems([*pair.summary.words, *document], language, stem)
    same = stems[: len(links), None] == stems[len(links) :]
    features = [
        links[cells],
        *_best_others(links, cells),
        links.sum(axis=1)[rows] - links[cells],
        links.sum(axis=0)[columns] - links[cells],
        *_neighbours(links, cells, AROUND),
        arrays.summary.words[rows] == arrays.document.words[columns],
        *_neighbours(same, cells, [(step, step) for step in STEPS]),
    ]
    for words, places in ((pair.summary.words, rows), (document, columns)):
        classes = np.array([OUTSIDE, *(word_class(word, language) for word in words), OUTSIDE])
        features += [classes[places + 1 + step] for step in STEPS]
    features += [pair_input.information[rows], pair_input.document_information[columns]]
    if arrays.contexts is not None:
        cosines = arrays.contexts.astype(float)
        features += [cosines[cells], *(cosines[cells] - best for best in _best_others(cosines, cells))]
        features += _neighbours(cosines, cells, [(-1, -1), (1, 1)])
    matrix = np.zeros((len(rows), len(NAMES)), dtype=np.float32)
    matrix[:, : len(features)] = np.transpose(features)
    return Cells(rows.astype(np.int32), columns.astype(np.int32), matrix)


def word_class(word: str, language: str) -> int:
    """Return whether a word is punctuation, a stop word, a number, capitalized or none of these."""
    if is_punctuation(word):
        return PUNCTUATION
    if is_stop_word(word, language):
        return STOP
    if any(map(str.isdigit, word)):
        return NUMBER
    return CAPITAL if word[0].isupper() else OTHER


def _best_others(values: Floats, cells: tuple[AnyArray, ...]) -> list[AnyArray]:
    """Return for each cell the largest value of the other cells of its row, and that of its column.

    It is −1 where there is no other cell. Values are at least −1.
    """
    of_row, of_column = (np.full((size, 2), -1.0) for size in values.shape)
    keep_best(values, of_row, of_column)
    bests = of_row[cells[0]], of_column[cells[1]]
    return [np.where(values[cells] == best[:, 0], best[:, 1], best[:, 0]) for best in bests]


def _neighbours(
    values: AnyArray, cells: tuple[AnyArray, ...], steps: Sequence[tuple[int, int]]
) -> list[AnyArray]:
    """Return the values of the neighbours of cells, 0 outside of the texts; `steps`: down and right."""
    around = np.pad(values, 2)
    return [around[cells[0] + 2 + down, cells[1] + 2 + right] for down, right in steps]


@dataclass(frozen=True)
class Rescorer:
    """Boosted trees of the probability that a cell is a link (Friedman 2001).

    `trees`: the text of a LightGBM model. `link_threshold`: what the probability of a link exceeds.
    `encoder`: that of the model that gave the posteriors, see `vorlage.semihmm.model.Model`. `pairs`: digests
    of the pairs whose gold the trees were fitted to.
    """

    trees: str
    link_threshold: float
    encoder: JsonObject
    pairs: frozenset[str]

    def probabilities(self, cells: Cells) -> Floats:
        """Return the probability of each cell that it is a link."""
        return np.asarray(self._booster.predict(cells.features, num_threads=1), dtype=float)

    @cached_property
    def _booster(self) -> "lightgbm.Booster":
        import lightgbm  # takes two seconds

        return lightgbm.Booster(model_str=self.trees)

    def knows(self, pair: Pair) -> bool:
        """Return whether the trees were fitted to the gold of a pair."""
        return digest_of(pair) in self.pairs

    def rescore(self, pair: Pair, pair_input: AlignmentInput, posteriors: PairPosteriors) -> PairPosteriors:
        """Return posteriors whose links, all single, have these probabilities; null words keep theirs."""
        cells = make_cells(pair, pair_input, posteriors.links.dense())
        values = self.probabilities(cells)
        links = posteriors.links._replace(rows=cells.rows, columns=cells.columns, values=values)
        phrases = np.zeros_like(posteriors.phrases)
        return posteriors._replace(links=links, sources=links.dense(), phrases=phrases)

    def save(self, path: StrPath) -> None:
        """Write the trees to a file, an npz without pickles; the same trees give the same bytes."""
        about = {"features": NAMES, "digest": digest(self.trees), "pairs": sorted(self.pairs)}
        line = json.dumps(asdict(self) | about, sort_keys=True)
        save_arrays(path, {"rescorer": lines_to_array([line])})

    @classmethod
    def load(cls, path: StrPath) -> "Rescorer":
        """Read a file of `save`; raise `InputError` for any other, and for one of another version."""
        return load_arrays(path, cls._from_arrays, "a rescorer", MAKER)

    @classmethod
    def _from_arrays(cls, arrays: dict[str, AnyArray]) -> "Rescorer":
        check_arrays(arrays, [("rescorer", TEXT)])
        about = parse_json("".join(array_to_lines(arrays["rescorer"])))
        if about["features"] != list(NAMES):
            raise ValueError("its features are others")
        if about["digest"] != digest(about["trees"]):
            raise ValueError("its trees have changed")
        return cls(about["trees"], about["link_threshold"], about["encoder"], frozenset(about["pairs"]))


def open_rescorer(path: StrPath, encoder: JsonObject) -> Rescorer:
    """Return the rescorer of a file, which is read again only if it has changed.

    Raises:
        InputError: for a file that is no rescorer, and for one of a model with another `encoder`.
    """
    rescorer = _load(str(path), Path(path).stat().st_mtime_ns if Path(path).exists() else 0)
    if rescorer.encoder != encoder:
        raise InputError(
            f"{path}: fitted to a model with another encoder, or without one; fit it to this model with "
            f"`{MAKER}`"
        )
    return rescorer


@lru_cache(maxsize=4)
def _load(path: str, changed: int) -> Rescorer:
    return Rescorer.load(path)


def digest_of(pair: Pair) -> str:
    """Return what a pair is known by: its words."""
    return digest((pair.document.words, pair.summary.words))
