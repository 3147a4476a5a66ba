"""Opens a WordNet folder with NLTK's reader."""

import math
import re
import warnings
from collections import Counter
from pathlib import Path

import numpy as np

from pipeline.io.checksums import check_folder
from pipeline.run.errors import InputError
from pipeline.text.nltk import nltk
from pipeline.types import Ints, StrPath

VERSION = "3.0"
PARTS = ("adj", "adv", "noun", "verb")
FILES = tuple(
    [f"{part}.exc" for part in PARTS]
    + [f"data.{part}" for part in PARTS]
    + [f"index.{part}" for part in PARTS]
)
# The parts of speech with hypernyms.
CLASSES = ("noun", "verb")
# A pointer to a hypernym, or to the class of an instance, in a line of a data file; format: wndb(5WN).
HYPERNYM = re.compile(r" @i? (\d{8}) [nv]")


class WordNet(nltk.corpus.reader.wordnet.WordNetCorpusReader):
    """NLTK's reader over one folder, for English only.

    For its multilingual data, NLTK maps the synsets of other WordNet versions when it opens a folder. That
    needs ``index.sense`` and a second copy of WordNet, neither of which is used here.
    """

    def __init__(self, folder: str) -> None:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="The multilingual functions are not available")
            super().__init__(folder, None)
        self._folder = Path(folder)

    def map_wn(self, version: str = "wordnet") -> None:
        """Return None: synsets of other versions are not mapped."""

    def contents(self) -> dict[str, dict[int, int]]:
        """Return the information content of the synsets of nouns, ``n``, and verbs, ``v``, by their offsets.

        See :func:`information_contents`.
        """
        made = {}
        for part in CLASSES:
            rows = np.load(self._folder / contents_file(part), allow_pickle=False)
            made[part[0]] = dict(rows.tolist())
        return made


def contents_file(part: str) -> str:
    """Return the name of the file with the information contents of nouns or verbs."""
    return f"contents.{part}.npy"


def information_contents(path: Path) -> Ints:
    """Return offset and information content of each synset of a data file, (synsets, 2).

    The content is that of WordNet's structure: log₂(all synsets / those at or below this one), rounded to
    bits.
    """
    with open(path, encoding="utf-8") as lines:
        data = [line.partition("|")[0] for line in lines if not line.startswith(" ")]
    above = {line[:8]: HYPERNYM.findall(line) for line in data}
    below: Counter[str] = Counter()
    for synset in above:
        reached = {synset}
        ahead = [synset]
        while ahead:
            ahead = [parent for child in ahead for parent in above[child]]
            reached.update(ahead)
        below.update(reached)
    rows = [(int(synset), round(math.log2(len(above) / count))) for synset, count in below.items()]
    return np.array(rows, dtype=np.int32)


def open_wordnet(folder: StrPath) -> WordNet:
    """Open a WordNet folder that ``python -m pipeline.wordnet`` made.

    The reader reads from ``folder`` alone. NLTK refuses data outside its folders, so ``folder`` is added to
    ``nltk.data.path``. Raise :class:`InputError` if the folder is missing, incomplete or damaged.
    """
    path = Path(folder).resolve()
    made = "lexnames", "wordnet.json", *map(contents_file, CLASSES)
    missing = [name for name in (*FILES, *made) if not (path / name).is_file()]
    if missing:
        raise InputError(
            f"{path}: not a WordNet folder (no {missing[0]}); make it with "
            f"`python -m pipeline.wordnet --output {path}`"
        )
    check_folder(path)
    if str(path) not in nltk.data.path:
        nltk.data.path.append(str(path))
    return WordNet(str(path))
