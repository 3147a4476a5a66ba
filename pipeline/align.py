"""Align pairs with a trained semi-HMM: ``python -m pipeline.align``.

    python -m pipeline.align --model results/sample/train/relative/model.npz --wordnet-data results/wordnet \
        --corpus new.jsonl --output out.jsonl

The corpus is one in input form (``id``, ``document``, ``summary``: strings or lists of sentences) or a
``corpus.jsonl`` of the corpus stage.
"""

import argparse
from pathlib import Path

from pipeline.alignments import write_alignments
from pipeline.corpus.new import read_new_pairs
from pipeline.errors import command
from pipeline.extract.extracts import read_extracted_pairs
from pipeline.files import read_jsonl
from pipeline.fingerprint import digest, fingerprint
from pipeline.parallel import in_order
from pipeline.parse.arrays import Trees
from pipeline.parse.parser import open_parser
from pipeline.parse.sentences import sentence_id
from pipeline.progress import Progress, start_log
from pipeline.semihmm.aligner import Aligner, Decoding
from pipeline.semihmm.model import Model
from pipeline.semihmm.senses import Senses
from pipeline.settings import add_options, from_options
from pipeline.wordnet.reader import open_wordnet

DECODING = Decoding._fields
WORDNET = Path("results/wordnet")


def align(corpus, aligner, decoding, stamp="", threads=1):
    """Yield the alignment of each pair, in order.

    ``corpus``: an iterable of (Pair, Extract), or (Pair, None) to align the whole document.
    """

    def prepared():
        for pair, extract in corpus:
            sentences = extract.sentences if extract else range(len(pair.document.sentences))
            yield pair, aligner.prepare(pair, sentences)

    def finish(item):
        return aligner.finish(*item, decoding, stamp)

    yield from in_order(finish, prepared(), threads)


def find_trees(model, path=None):
    """A function from sentences to their trees: those of the file ``path``, or made by the model's parser."""
    if path:
        trees = Trees.load(path)
        return lambda sentences: trees
    parser = open_parser(model.parser)

    def parse(sentences):
        parses = parser.parse([tuple(tokens) for tokens in sentences])
        return Trees.collect(
            (sentence_id(tokens), made.tree) for tokens, made in zip(sentences, parses, strict=True)
        )

    return parse


@command
def main(arguments=None):
    """Align pairs with a trained semi-HMM."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.align", description=main.__doc__)
    parser.add_argument("--model", required=True, help="model.npz of `python -m pipeline.semihmm.train`")
    parser.add_argument("--corpus", required=True, help="pairs to align, JSON lines")
    parser.add_argument("--extracts", help="extracts.jsonl of the extract stage (default: whole documents)")
    parser.add_argument("--wordnet-data", help=f"folder of `python -m pipeline.wordnet` (default: {WORDNET})")
    parser.add_argument("--trees", help="trees.npz of the parse stage (default: parse what the model wants)")
    parser.add_argument(
        "--tokenized", action="store_true", help="tokens of the corpus are separated by spaces"
    )
    parser.add_argument("--output", required=True, help="file to write, alignments.jsonl")
    parser.add_argument("--threads", type=int, default=1, help="pairs worked on at once (default: 1)")
    parser.add_argument("--log", help="file for the log (default: standard error)")
    add_options(parser, "semihmm", DECODING)
    given = parser.parse_args(arguments)
    start_log(given.log)
    settings = from_options(given, "semihmm")
    model = Model.load(given.model)
    senses = None
    if model.settings["wordnet"]:
        senses = Senses(open_wordnet(given.wordnet_data or WORDNET))
    code = fingerprint("pipeline.align", f"pipeline.semihmm.{model.jump}")
    decoding = Decoding(*(settings[key] for key in DECODING))
    stamp = digest((code, decoding, model.fingerprint))
    if given.extracts:
        corpus = read_extracted_pairs(given.corpus, given.extracts)
    else:
        corpus = ((pair, None) for pair in read_new_pairs(given.corpus, given.tokenized))
    trees = find_trees(model, given.trees) if model.jumps.TREES else None
    aligned = align(corpus, Aligner(model, senses, trees), decoding, stamp, given.threads)
    total = sum(1 for _ in read_jsonl(given.corpus))
    with Progress("align", total) as progress:
        write_alignments(given.output, progress.count(aligned))


if __name__ == "__main__":
    main()
