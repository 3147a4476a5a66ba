"""CNN and Daily Mail: a story, or a Parquet file, which begins with a mark of its own."""

import io

import pyarrow
from pyarrow import parquet

from fuzz.corpora import SENTENCES, check_corpus
from fuzz.mutators import damage, pieces
from fuzz.target import Target, put

PARQUET = b"PAR1"


def check(data):
    """Read a file as the corpus stage does."""
    check_corpus("cnndm", put("a.parquet" if data.startswith(PARQUET) else "a.story", data))


def mutate(data, random):
    """Change bytes of a Parquet file or words of a story."""
    return PARQUET + damage(data[4:], random) if data.startswith(PARQUET) else pieces(data, random)


def seeds():
    """Return a story, and Parquet files with and without compression."""
    first, second, third = SENTENCES
    story = f"\n(CNN) -- {first}\n\n{second}\n\n@highlight\n\n{third}\n\n@highlight\n\nPrinters\n"
    rows = {"id": ["a", "b"], "article": [first, second], "highlights": [third, "Printers"], "other": [1, 2]}
    return [story.encode(), *(_parquet(rows, compression) for compression in ("none", "snappy", "zstd"))]


def _parquet(rows, compression):
    out = io.BytesIO()
    parquet.write_table(pyarrow.table(rows), out, compression=compression)
    return out.getvalue()


TARGET = Target((check,), seeds, mutate)
