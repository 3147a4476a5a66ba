"""Reads WordNet: the senses of words in any form, and the synsets above each."""

from pathlib import Path

from vorlage.command.errors import InputError
from vorlage.files.arrays import array_to_lines
from vorlage.files.npy import check_kinds
from vorlage.files.npz import read_npz
from vorlage.text.wordnet.tables import KINDS, PARTS, check_tables
from vorlage.types import AnyArray, StrPath

TABLES = "tables.npz"
SHIPPED = Path(__file__).parents[2] / "models" / "wordnet.npz"  # the tables that come with the package
MAKER = "python -m vorlage.text.wordnet --output"
LETTERS = tuple(PARTS.values())
# Endings of inflected forms and of their lemmas; manual page morphy(7WN).
ENDINGS = {
    "n": [
        *[("s", ""), ("ses", "s"), ("ves", "f"), ("xes", "x"), ("zes", "z")],
        *[("ches", "ch"), ("shes", "sh"), ("men", "man"), ("ies", "y")],
    ],
    "v": [
        *[("s", ""), ("ies", "y"), ("es", "e"), ("es", "")],
        *[("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")],
    ],
    "a": [("er", ""), ("est", ""), ("er", "e"), ("est", "e")],
    "r": [],
}


class WordNet:
    """The lemmas, senses and links of WordNet. Synsets are numbers from 0.

    `tables`: arrays as `vorlage.text.wordnet.tables.make_tables` returns them. `digest`: of the files
    of WordNet. Nothing in the object changes, so threads may share it.
    """

    def __init__(self, tables: dict[str, AnyArray]) -> None:
        self.lemmas = array_to_lines(tables["lemmas"])
        (self.digest,) = array_to_lines(tables["digest"])
        self._tables = tables
        self._rows = {lemma: row for row, lemma in enumerate(self.lemmas)}
        self._exceptions: dict[tuple[str, str], list[str]] = {}
        for line in array_to_lines(tables["exceptions"]):
            letter, form, *lemmas = line.split(" ")
            self._exceptions[letter, form] = lemmas

    def senses(self, form: str, part: str) -> list[int]:
        """Return the synsets of a lower-case word or phrase, `_` between words, in any inflected form.

        `part`: n, v, a or r. The senses of a lemma are in the order of their frequency.
        """
        return [sense for lemma in self._lemmas_of(form, part) for sense in self._listed(lemma, part)]

    def above(self, synset: int, only_hypernyms: bool = False) -> list[tuple[int, int]]:
        """Return the synsets directly above a synset and the length of the link to each.

        They are the hypernyms, with the classes of an instance, and of an adjective the main one that it is
        similar to, unless `only_hypernyms`. Lengths: see `vorlage.text.wordnet.tables.make_tables`.
        """
        tables = self._tables
        if only_hypernyms and not tables["hypernym"][synset]:
            return []
        links = slice(*tables["above_at"][synset : synset + 2])
        return list(zip(tables["above"][links].tolist(), tables["lengths"][links].tolist(), strict=True))

    def _listed(self, lemma: str, part: str) -> list[int]:
        """Return the synsets of a lemma."""
        row = self._rows.get(lemma)
        if row is None:
            return []
        at = LETTERS.index(part) * len(self.lemmas) + row
        senses: list[int] = self._tables["senses"][slice(*self._tables["senses_at"][at : at + 2])].tolist()
        return senses

    def _lemmas_of(self, form: str, part: str) -> list[str]:
        """Return the lemmas of a form: itself and its exceptions, or else those that endings lead to."""
        lemmas = self._exceptions.get((part, form))
        if lemmas is None:
            lemmas = [form.removesuffix(old) + new for old, new in ENDINGS[part] if form.endswith(old)]
        return list(dict.fromkeys([form, *lemmas]))


def open_wordnet(path: StrPath) -> WordNet:
    """Open a WordNet folder that `python -m vorlage.text.wordnet` made, or its tables alone.

    Raise `InputError` if the folder is missing, incomplete or damaged.
    """
    tables = Path(path)
    if not tables.is_file():
        tables /= TABLES
        if not tables.is_file():
            raise InputError(f"{path}: not a WordNet folder (no {TABLES}); make it with `{MAKER} {path}`")
    arrays = read_npz(tables, "the tables of a WordNet", f"{MAKER} {tables.parent}")
    try:
        check_kinds(arrays, KINDS)
        check_tables(arrays)
        return WordNet(arrays)
    except (KeyError, ValueError):
        raise InputError(
            f"{tables}: not the tables of a WordNet, or of another version; make them again with "
            f"`{MAKER} {tables.parent}`"
        ) from None
