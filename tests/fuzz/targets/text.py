"""Plain text: the reader ``text``, and two files for `pipeline.align`."""

from fuzz.corpora import SENTENCES, check_corpus, check_pair, halves
from fuzz.mutators import pieces
from fuzz.target import FOLDER, Target, put
from pipeline.corpus.new import TextFiles


def as_corpus(data):
    """Read a folder of documents and one of summaries as the corpus stage does."""
    document, summary = halves(data)
    put("text/documents/a.txt", document)
    put("text/summaries/a.txt", summary)
    check_corpus("text", FOLDER / "text")


def as_new(data):
    """Read two files with one text a line as `pipeline.align` does."""
    document, summary = halves(data)
    source = TextFiles(put("documents.txt", document), put("summaries.txt", summary), len(data) % 2 == 1)
    count = source.check()
    pairs = [source.read(record)[0] for record in source.records()]
    assert [pair.id for pair in pairs] == [str(number + 1) for number in range(count)]
    for pair in pairs:
        check_pair(pair)


def seeds():
    """Return files of one and two lines."""
    first, second, third = (sentence.encode() for sentence in SENTENCES)
    mark = b"\n--8<--\n"
    return [first + mark + second, b"\n".join([first, third]) + mark + b"\r\n".join([second, first])]


TARGET = Target((as_corpus, as_new), seeds, pieces)
