"""Train a semi-HMM: ``python -m pipeline.train``."""

import argparse
import time
from pathlib import Path

import numpy as np

from pipeline.encode.similarities import shape_of
from pipeline.encode.store import Store
from pipeline.extract.extracts import read_extracted_pairs
from pipeline.fingerprint import digest, file_digest, fingerprint
from pipeline.io.jsonl import write_text
from pipeline.parse.arrays import Trees
from pipeline.run.errors import InputError, command
from pipeline.run.progress import Progress, log, start_log
from pipeline.semihmm.jumps.base import Shape, jump_model
from pipeline.semihmm.jumps.forest import forests_of
from pipeline.semihmm.model import Model, Origin, check_reverse
from pipeline.semihmm.phrases.rewrite import Mixture
from pipeline.semihmm.phrases.wordnet_distance import Senses
from pipeline.settings import add_options, from_options, section
from pipeline.train import em
from pipeline.train.checkpoint import Checkpoint
from pipeline.train.finish import make_model
from pipeline.train.merge import make_index
from pipeline.train.pairs import Pairs
from pipeline.train.shard import collect
from pipeline.wordnet.digest import wordnet_digest
from pipeline.wordnet.reader import open_wordnet

# The settings that training reads; the rest of the section says which models to train and how to decode.
TRAINING = (
    "iterations",
    "tolerance",
    "max_document_phrase",
    "max_summary_phrase",
    "null_start",
    "null_learned",
    "jump_smoothing",
    "null_smoothing",
    "fake_counts.word",
    "fake_counts.identical",
    "fake_counts.stem",
    "fake_counts.unigram",
    "wordnet",
    "sentence_similarity",
    "encoder",
    "encoder_temperature",
    "beam",
    "prune",
    "lexical_cooccurrence",
    "lexical_prune",
    "lexical_threshold",
)
NOWHERE = Origin()
STORED = {key.split(".")[0] for key in TRAINING}


def train(
    corpus,
    jump,
    settings,
    senses=None,
    threads=1,
    trees=None,
    similarities=None,
    checkpoint=None,
    origin=NOWHERE,
    reverse=None,
):
    """Train a model on a corpus: an iterable of (Pair, Extract).

    ``senses``: a :class:`Senses`, wanted when ``settings["wordnet"]``; ``trees``: a
    :class:`pipeline.parse.arrays.Trees`, for a jump model that wants it; ``similarities``: a
    :class:`pipeline.encode.store.Store`, wanted when ``settings["encoder"]``; ``checkpoint``: a
    :class:`Checkpoint` to keep each iteration in and to go on from; ``origin``: see
    :class:`pipeline.semihmm.model.Origin`; ``reverse``: the model of the other direction to keep with this
    one, or True to train that one, which generates the extract from the summary. Returns
    ``(Model, iterations)``.
    """
    forests = forests_of(trees) if trees else None
    measured = similarities_of(similarities) if similarities else None
    shard = collect(corpus, settings, senses, forests, measured, reverse is True)
    index, pairs = prepare(shard, settings, senses)
    if reverse is True:
        settings = settings | {"null_start": reversed_null(settings["null_start"], index)}
    state = checkpoint.load(jump_model(jump)) if checkpoint else None
    if state:
        parameters, iterations, kept = state
    else:
        jumps = jump_model(jump).start(Shape(index.longest, trees.labels if trees else ()), settings)
        parameters, iterations = (
            em.start(index, jumps, Mixture.start(senses is not None, settings["encoder"])),
            [],
        )
        kept = pairs.whole()
    with Progress(f"train {jump}", index.pairs * settings["iterations"]) as progress:
        progress.advance(index.pairs * len(iterations))
        while not em.has_ended(iterations, settings):
            began = time.time()
            expected, kept = em.expectation(pairs, parameters, kept, settings, threads, progress.advance)
            if pairs.numbers.entries is not None:
                sums = em.Sums(len(index.kind), len(index.words))
                sums.add(expected, pairs.numbers.entries, pairs.words)
                expected = sums.total()
            iteration, parameters = em.step(index, parameters, expected, settings, iterations, began)
            iterations.append(iteration)
            if checkpoint:
                checkpoint.save(parameters, iterations, kept)
            progress.describe(f"iteration {len(iterations)}, log-posterior {iteration.log_posterior:.6g}")
            if settings["prune"]:
                log.info(f"{kept.mean():.1%} of the document sentences are kept")
    if settings["prune"]:
        count, whole, part = em.pruning_loss(pairs, parameters, kept, settings)
        lost = (part - whole) / (whole or 1.0)
        log.info(
            f"log-likelihood of {count} pairs under the last parameters: {whole:.8g} exact, "
            f"{part:.8g} pruned; pruning loses {whole - part:.4g}, {lost:.2e} of it"
        )
    parser = trees.parser if trees else {}
    encoder = similarities.about if similarities else {}
    other = None if reverse is True else reverse
    return make_model(jump, index, parameters, settings, parser, origin, encoder, other), iterations


def reversed_null(null, index):
    """φ of the other direction, in which each document word is generated from the summary, or ``uniform``.

    ``null``: that of the direction from the document. Were links one to one, the share 1 − (1 − φ)·T/n of the
    n document words would have no source in the T summary words; but several may have gone into one, so the
    square root of T/n is taken. ``index``: of the other direction.
    """
    if null == "uniform":
        return null
    share = min(index.document_words / index.frequency.sum(), 1.0)
    return float(1.0 - (1.0 - null) * np.sqrt(share))


def prepare(shard, settings, senses):
    """``(Index, Pairs)`` of a corpus that is one shard."""
    found = []
    index, (numbers,) = make_index([shard.tables()], settings, [found], senses)
    log.info(index.summary())
    if index.unlisted.any():
        numbers = numbers._replace(entries=np.concatenate(found))
    temperature = settings["encoder_temperature"]
    return index, Pairs(shard.instances, shard.support, len(shard.words), numbers, index.fake, temperature)


def training_settings(given):
    """The settings that training reads and a model keeps, of the options of a command."""
    return {key: value for key, value in from_options(given, "semihmm").items() if key in STORED}


def similarities_of(store):
    """A function from (Pair, Extract) to the similarities of a pair in a ``store``."""
    return lambda pair, extract: store.get(pair.id, shape_of(pair, extract.sentences))


def open_similarities(folder, settings):
    """The :class:`pipeline.encode.store.Store` that the settings want, None for none."""
    if not settings["encoder"]:
        return None
    if not folder:
        raise InputError(
            "--similarities is missing; make them with `python -m pipeline.encode`, or do without by "
            "--encoder false"
        )
    return Store(folder)


def check_direction(given):
    """Raise :class:`InputError` where the other direction is asked of a jump model that cannot have it."""
    if given.reverse and jump_model(given.jump).TREES:
        raise InputError(
            f"--reverse: the jump model {given.jump} wants trees, which summaries have none of; take another"
        )


def open_reverse(given, settings, encoder):
    """What the options say of the other direction, as :func:`train` wants it."""
    if not given.reverse_model:
        return True if given.reverse else None
    if given.reverse:
        raise InputError("--reverse and --reverse-model do not go together; leave one of them out")
    return load_reverse(given.reverse_model, settings, encoder)


def load_reverse(path, settings, encoder):
    """The model of the other direction in a file; raises :class:`InputError` for one that is none.

    ``settings``, ``encoder``: of the model that is to hold it.
    """
    reverse = Model.load(path)
    try:
        check_reverse(reverse, settings, encoder)
    except ValueError:
        raise InputError(
            f"{path}: not the other direction of this model; make it with --reverse and the same settings "
            "and similarities"
        ) from None
    return reverse


@command
def main(arguments=None):
    """Train one jump model on a corpus and its extracts."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.train", description=main.__doc__)
    parser.add_argument("--jump", required=True, help="jump model to train, such as relative")
    parser.add_argument("--corpus", required=True, help="corpus.jsonl of the corpus stage")
    parser.add_argument("--extracts", required=True, help="extracts.jsonl of the extract stage")
    parser.add_argument("--wordnet-data", help="folder made by `python -m pipeline.wordnet`")
    parser.add_argument("--trees", help="trees.npz of the parse stage, for a jump model that walks over them")
    parser.add_argument("--similarities", help="folder of the encode stage, where `encoder` is set")
    parser.add_argument(
        "--reverse", action="store_true", help="train the other direction: the extract from the summary"
    )
    parser.add_argument("--reverse-model", help="model.npz of the other direction, to keep with this one")
    parser.add_argument("--model", required=True, help="file to write, model.npz")
    parser.add_argument("--em", required=True, help="table to write, em.tsv: one row an iteration")
    parser.add_argument("--threads", type=int, default=1, help="pairs worked on at once (default: 1)")
    parser.add_argument("--log", help="file for the log (default: standard error)")
    add_options(parser, "semihmm", TRAINING)
    given = parser.parse_args(arguments)
    start_log(given.log)
    section("semihmm", {"jumps": [given.jump]})
    check_direction(given)
    settings = training_settings(given)
    senses, wordnet = None, ""
    if settings["wordnet"]:
        if not given.wordnet_data:
            raise InputError(
                "--wordnet-data is missing; make it with `python -m pipeline.wordnet`, "
                "or do without by --wordnet false"
            )
        senses = Senses(open_wordnet(given.wordnet_data))
        wordnet = wordnet_digest(given.wordnet_data)
    trees = None
    if jump_model(given.jump).TREES:
        if not given.trees:
            raise InputError(
                f"--trees is missing; the jump model {given.jump} wants the trees of the documents"
            )
        trees = Trees.load(given.trees)
    similarities = open_similarities(given.similarities, settings)
    reverse = open_reverse(given, settings, similarities.about if similarities else {})
    code = fingerprint("pipeline.train", f"pipeline.semihmm.jumps.{given.jump}")
    inputs = [file_digest(path) for path in (given.corpus, given.extracts, given.trees) if path]
    if similarities:
        inputs.append(similarities.about)
    if given.reverse:
        inputs.append("reverse")
    if given.reverse_model:
        inputs.append(reverse.origin.fingerprint)
    origin = Origin(wordnet, inputs[0], digest((code, settings, wordnet, inputs)))
    corpus = read_extracted_pairs(given.corpus, given.extracts)
    checkpoint = Checkpoint(Path(given.model).with_suffix(".checkpoint.npz"), origin.fingerprint)
    model, iterations = train(
        corpus,
        given.jump,
        settings,
        senses,
        given.threads,
        trees,
        similarities,
        checkpoint,
        origin,
        reverse,
    )
    model.save(given.model)
    write_text(given.em, "\n".join([em.Iteration.HEADER, *(i.row() for i in iterations)]) + "\n")
    checkpoint.remove()


if __name__ == "__main__":
    main()
