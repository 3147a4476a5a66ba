"""Opens a WordNet folder with NLTK's reader."""

import warnings
from pathlib import Path

from pipeline.io.checksums import check_folder
from pipeline.run.errors import InputError
from pipeline.text.nltk import nltk

VERSION = "3.0"
PARTS = ("adj", "adv", "noun", "verb")
FILES = tuple(
    [f"{part}.exc" for part in PARTS]
    + [f"data.{part}" for part in PARTS]
    + [f"index.{part}" for part in PARTS]
)


class WordNet(nltk.corpus.reader.wordnet.WordNetCorpusReader):
    """NLTK's reader over one folder, for English alone.

    NLTK maps the synsets of other WordNet versions for its multilingual data at once, which needs
    ``index.sense`` and a second copy of WordNet; nothing here asks for either.
    """

    def __init__(self, folder):
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="The multilingual functions are not available")
            super().__init__(folder, None)

    def map_wn(self, version="wordnet"):
        """No mapping from other versions."""
        return None


def open_wordnet(folder):
    """Open the WordNet folder that ``python -m pipeline.wordnet`` made.

    Returns an NLTK ``WordNetCorpusReader`` that reads from ``folder`` alone. NLTK refuses data outside
    the folders it knows, so ``folder`` is added to ``nltk.data.path``. Raises :class:`InputError` when
    the folder is not there, not complete or not as it was written.
    """
    folder = Path(folder).resolve()
    missing = [name for name in (*FILES, "lexnames", "wordnet.json") if not (folder / name).is_file()]
    if missing:
        raise InputError(
            f"{folder}: not a WordNet folder (no {missing[0]}); make it with "
            f"`python -m pipeline.wordnet --output {folder}`"
        )
    check_folder(folder)
    if str(folder) not in nltk.data.path:
        nltk.data.path.append(str(folder))
    return WordNet(str(folder))
