"""Small pairs, and the command that aligns them by a baseline."""

from pair_files import write_pairs
from vorlage.alignments.alignment import read_alignments
from vorlage.documents.pair import Pair
from vorlage.extract.extracts import Extract, write_extracts
from vorlage.text.tokenize import make_text
from vorlage.workflow.baselines.stage import main


def make_pair(document, summary, key="p"):
    return Pair(key, make_text(document, tokenized=True), make_text(summary, tokenized=True))


def whole(pair):
    """Return an extract that is the whole document."""
    return Extract(pair.id, tuple(range(len(pair.document.sentences))), ())


def spans(links):
    return [(link.summary, link.document) for link in links]


def write(folder, pairs, extracts):
    """Write a corpus and its extracts, and return the options that name them."""
    write_pairs(folder / "corpus.jsonl", pairs)
    write_extracts(folder / "extracts.jsonl", extracts)
    return ["--corpus", str(folder / "corpus.jsonl"), "--extracts", str(folder / "extracts.jsonl")]


def run(folder, system, files, *options):
    """Return the alignments that `vorlage baseline` writes."""
    main(["--system", system, *files, "--output", str(folder / "out.jsonl"), *map(str, options)])
    return list(read_alignments(folder / "out.jsonl"))
