"""NLTK's reader of WordNet, an independent reading of the same files."""

import shutil
import warnings
from pathlib import Path

import nltk
from vorlage.text.wordnet.tables import FILES


class Reader(nltk.corpus.reader.WordNetCorpusReader):
    """The reader for English; for other languages it would need a second version of WordNet."""

    def map_wn(self, version="wordnet"):
        return None


def open_by_nltk(folder: Path, scratch: Path) -> Reader:
    """Open a copy of the WordNet files of `folder` in `scratch`, which must not exist."""
    scratch.mkdir()
    for name in FILES:
        shutil.copyfile(folder / name, scratch / name)
    # Numbers of lexicographer files; their names play no part.
    (scratch / "lexnames").write_text("".join(f"{number:02d}\tnoun.{number}\t1\n" for number in range(45)))
    if str(scratch) not in nltk.data.path:
        nltk.data.path.append(str(scratch))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The multilingual functions are not available")
        return Reader(str(scratch), None)
