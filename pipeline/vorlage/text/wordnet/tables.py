"""Puts the part of WordNet that distances need into arrays: lemmas, senses, and links upwards."""

import hashlib
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np

from vorlage.files.arrays import array_to_lines, concatenate_ragged, lines_to_array
from vorlage.files.npy import Kind
from vorlage.types import AnyArray

# The file and the letter of each part of speech, in the order of the tables.
PARTS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
# Pointers of a synset to hypernyms and to the classes of an instance, and of a satellite adjective to the
# main one that it is similar to, in a line of a data file; format: wndb(5WN).
HYPERNYM = re.compile(r" @i? (\d{8}) [nv]")
SIMILAR = re.compile(r" & (\d{8}) [as]")
# The files of WordNet, in alphabetical order.
FILES = (
    *(f"{part}.exc" for part in sorted(PARTS)),
    *(f"data.{part}" for part in sorted(PARTS)),
    *(f"index.{part}" for part in sorted(PARTS)),
)

TEXT = Kind("|u1", 1)
# The tables: see `make_tables`.
KINDS = {
    **dict.fromkeys(("lemmas", "exceptions", "digest", "licence"), TEXT),
    **dict.fromkeys(("senses", "senses_at", "above", "above_at"), Kind("<i4", 1)),
    **{"lengths": Kind("|i1", 1), "hypernym": Kind("|b1", 1)},
}


def check_tables(tables: Mapping[str, AnyArray]) -> None:
    """Raise ValueError unless tables of the right kinds are consistent, and every link leads to a synset."""
    synsets = len(tables["hypernym"])
    lemmas = len(array_to_lines(tables["lemmas"]))
    for name, rows in (("senses", len(PARTS) * lemmas), ("above", synsets)):
        at, numbers = tables[f"{name}_at"], tables[name]
        if len(at) != rows + 1 or at[0] != 0 or at[-1] != len(numbers) or (np.diff(at) < 0).any():
            raise ValueError(f"the rows of {name} are out of order")
        if len(numbers) and not 0 <= numbers.min() <= numbers.max() < synsets:
            raise ValueError(f"{name} lead to no synset")
    if len(tables["lengths"]) != len(tables["above"]) or (tables["lengths"] < 0).any():
        raise ValueError("the lengths of links are not those of WordNet")


def make_tables(folder: Path) -> dict[str, AnyArray]:
    """Return the tables of the WordNet files in a folder.

    `lemmas`: lines of text, sorted. `senses_at` (parts of speech × lemmas + 1): where the senses of a
    lemma begin in `senses`, the numbers of its synsets, the most frequent first. `above_at` (synsets +
    1): where the links of a synset begin in `above`, the numbers of the synsets above it, and in
    `lengths`: the information content that a link to a hypernym loses, see `information_contents`,
    and 1 for a link from an adjective. `hypernym` (synsets): whether its links lead to hypernyms.
    `exceptions`: lines of a letter, an inflected form and its lemmas. `digest`: text, that of the output
    of `sha256sum *.exc data.* index.*`. `licence`: lines of text, the licence at the top of the files.
    """
    numbers: dict[tuple[str, str], int] = {}
    above: list[list[int]] = []
    lengths: list[list[int]] = []
    hypernym: list[bool] = []
    for part in PARTS:
        synsets = _read_synsets(folder / f"data.{part}")
        numbers |= {(part, offset): number for number, offset in enumerate(synsets, len(numbers))}
        is_hypernym = part in ("noun", "verb")
        contents = information_contents(synsets) if is_hypernym else {}
        for offset, offsets in synsets.items():
            above.append([numbers[part, x] for x in offsets])
            lengths.append([contents[offset] - contents[x] if is_hypernym else 1 for x in offsets])
            hypernym.append(is_hypernym)
    index = {part: _read_index(folder / f"index.{part}") for part in PARTS}
    lemmas = sorted(set().union(*index.values()))
    senses, senses_at = concatenate_ragged(
        [[numbers[part, x] for x in index[part].get(lemma, ())] for part in PARTS for lemma in lemmas]
    )
    flat, above_at = concatenate_ragged(above)
    return {
        "lemmas": lines_to_array(lemmas),
        "senses": senses,
        "senses_at": senses_at.astype(np.int32),
        "above": flat,
        "above_at": above_at.astype(np.int32),
        "lengths": concatenate_ragged(lengths, np.int8)[0],
        "hypernym": np.array(hypernym),
        "exceptions": lines_to_array(_read_exceptions(folder)),
        "digest": lines_to_array([compute_digest(folder)]),
        "licence": lines_to_array(_read_licence(folder)),
    }


def compute_digest(folder: Path) -> str:
    """Return the SHA-256 of the output of `sha256sum *.exc data.* index.*` in a folder."""
    lines = (f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}\n" for name in FILES)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def information_contents(above: Mapping[str, Iterable[str]]) -> dict[str, int]:
    """Return the information content of synsets, given those directly `above` each.

    The content is that of WordNet's structure: log₂(all synsets / those at or below this one), rounded to
    bits.
    """
    below: Counter[str] = Counter()
    for synset in above:
        reached = {synset}
        ahead = [synset]
        while ahead:
            ahead = [parent for child in ahead for parent in above[child]]
            reached.update(ahead)
        below.update(reached)
    return {synset: round(math.log2(len(above) / count)) for synset, count in below.items()}


def _read_synsets(path: Path) -> dict[str, list[str]]:
    """Return the offsets of a data file's synsets with those of the synsets above each."""
    with open(path, encoding="utf-8") as lines:
        data = [line.partition("|")[0] for line in lines if not line.startswith(" ")]
    satellite = re.compile(r"\d{8} \d\d s ")
    return {
        line[:8]: HYPERNYM.findall(line) + (SIMILAR.findall(line) if satellite.match(line) else [])
        for line in data
    }


def _read_index(path: Path) -> dict[str, list[str]]:
    """Return the lemmas of an index file with the offsets of their synsets."""
    with open(path, encoding="utf-8") as lines:
        rows = [line.split() for line in lines if not line.startswith(" ")]
    return {row[0]: row[len(row) - int(row[2]) :] for row in rows}


def _read_licence(folder: Path) -> list[str]:
    """Return the lines at the top of a data file, which begin with a space and their numbers."""
    lines = (folder / "data.noun").read_text(encoding="utf-8").splitlines()
    return [re.sub(r"^ *\d+ ", "", line).rstrip() for line in lines if line.startswith(" ")]


def _read_exceptions(folder: Path) -> list[str]:
    return [
        f"{letter} {' '.join(line.split())}"
        for part, letter in PARTS.items()
        for line in (folder / f"{part}.exc").read_text(encoding="utf-8").splitlines()
        if line.strip()
    ]
