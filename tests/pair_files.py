"""Files of pairs for the tests of later stages, as the corpus stage writes them."""

from vorlage.files.jsonl import write_jsonl


def write_pairs(path, pairs):
    """Write pairs to a `corpus.jsonl`, in the order given."""
    write_jsonl(path, (pair.to_json() for pair in pairs))
