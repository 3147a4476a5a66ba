"""Train a semi-HMM: ``python -m pipeline.semihmm.train``."""

import argparse
import json
from pathlib import Path

import numpy as np

from pipeline.errors import InputError, command
from pipeline.extract.extracts import read_extracted_pairs
from pipeline.files import write_text
from pipeline.fingerprint import digest, file_digest, fingerprint
from pipeline.parse.arrays import Trees
from pipeline.progress import Progress, log, start_log
from pipeline.semihmm import em
from pipeline.semihmm.checkpoint import Checkpoint
from pipeline.semihmm.forest import make_forest, sentence_tokens
from pipeline.semihmm.instances import Vocabulary, make_instance, ngrams
from pipeline.semihmm.jumps import Shape, jump_model
from pipeline.semihmm.model import PADDING, Lexicon, Model, Null
from pipeline.semihmm.rewrite import Mixture, Rewrite
from pipeline.semihmm.senses import LONGEST, Senses
from pipeline.semihmm.support import UNLIKE, StemClasses, build_support
from pipeline.settings import add_options, from_options, section
from pipeline.wordnet.reader import open_wordnet

# The settings that training reads; the rest of the section says which models to train and how to decode.
TRAINING = (
    "iterations",
    "tolerance",
    "max_document_phrase",
    "max_summary_phrase",
    "null_start",
    "jump_smoothing",
    "null_smoothing",
    "fake_counts.word",
    "fake_counts.identical",
    "fake_counts.stem",
    "wordnet",
    "beam",
    "prune",
    "lexical_threshold",
)
STORED = {key.split(".")[0] for key in TRAINING}
NO_HISTOGRAMS = np.zeros((0, LONGEST))


def train(corpus, jump, settings, senses=None, threads=1, wordnet="", stamp="", trees=None, checkpoint=None):
    """Train a model on a corpus: an iterable of (Pair, Extract).

    ``senses``: a :class:`Senses`, wanted when ``settings["wordnet"]``; ``trees``: a
    :class:`pipeline.parse.arrays.Trees`, for a jump model that wants it; ``checkpoint``: a
    :class:`Checkpoint` to keep each iteration in and to go on from. Returns ``(Model, iterations)``.
    """
    vocabulary = Vocabulary()
    instances = []
    for pair, extract in corpus:
        forest = None
        if trees is not None:
            forest = make_forest(trees, sentence_tokens(pair, extract.sentences), trees.labels)
        instances.append(make_instance(pair, extract.sentences, vocabulary, forest))
    longest = settings["max_document_phrase"], settings["max_summary_phrase"]
    if not instances:
        raise InputError("the corpus has no pairs; there is nothing to train on")
    support = build_support(instances, vocabulary, StemClasses(vocabulary.words), senses, *longest)
    readings, counts = summary_readings(instances, vocabulary, senses, longest[1])
    histograms, row_histogram = histogram_rows(support, senses, readings, counts)
    rewrite = Rewrite(support, settings["fake_counts"], histograms, row_histogram)
    indexed = em.Corpus(instances, rewrite, vocabulary)
    log.info(
        f"{len(instances)} pairs, {len(vocabulary)} words, {len(support.summary)} word pairs, "
        f"{len(support.phrase_pairs)} longer phrase pairs"
    )
    shape = Shape(indexed.longest, trees.labels if trees else ())
    state = checkpoint.load(jump_model(jump)) if checkpoint else None
    if state:
        parameters, iterations = state
    else:
        jumps = jump_model(jump).start(shape, settings)
        parameters, iterations = em.start(indexed, jumps, Mixture.start(senses is not None)), []
    with Progress(f"train {jump}", len(instances) * settings["iterations"]) as progress:
        progress.advance(len(instances) * len(iterations))
        for iteration, latest in em.run(indexed, parameters, settings, threads, progress, list(iterations)):
            parameters = latest
            iterations.append(iteration)
            if checkpoint:
                checkpoint.save(parameters, iterations)
            log.info(
                f"iteration {iteration.iteration}: log-likelihood {iteration.log_likelihood:.8g}, "
                f"log-posterior {iteration.log_posterior:.8g}, {iteration.seconds:.1f} s"
            )
            if settings["prune"]:
                log.info(f"{latest.kept.mean():.1%} of the document sentences are kept")
    if settings["prune"]:
        pairs, whole, part = em.pruning_loss(indexed, parameters, settings)
        log.info(
            f"log-likelihood of {pairs} pairs under the last parameters: {whole:.8g} exact, "
            f"{part:.8g} pruned; pruning loses {whole - part:.4g}, {(part - whole) / whole:.2e} of it"
        )
    model = Model(
        jump,
        parameters.jumps,
        parameters.mixture,
        Null(parameters.null, parameters.unseen),
        make_lexicon(support, rewrite, parameters.counts, settings["lexical_threshold"]),
        vocabulary.words,
        senses.offsets(readings) if senses else np.empty((0, 4), dtype=np.int64),
        counts,
        settings,
        wordnet,
        trees.parser if trees else {},
        stamp,
    )
    return model, iterations


def summary_readings(instances, vocabulary, senses, longest):
    """The WordNet readings of the corpus's summary phrases, and how many distinct phrases have each."""
    if senses is None:
        return np.empty(0, dtype=np.int64), np.empty(0)
    phrases = {
        phrase
        for instance in instances
        for _, phrase in ngrams(instance.summary, instance.summary_breaks, longest)
    }
    words = vocabulary.words
    found = [senses.reading(tuple(words[w] for w in phrase)) for phrase in sorted(phrases)]
    readings, counts = np.unique([r for r in found if r >= 0], return_counts=True)
    return readings.astype(np.int64), counts.astype(float)


def histogram_rows(support, senses, readings, counts):
    """Distance histograms for the distinct readings of the rows, and which of them each row has."""
    if senses is None:
        return NO_HISTOGRAMS, np.full(len(support.row_reading), -1, dtype=np.int32)
    distinct, index = np.unique(support.row_reading, return_inverse=True)
    if len(distinct) and distinct[0] < 0:
        distinct, index = distinct[1:], index - 1
    return senses.histograms(distinct, readings, counts), index.astype(np.int32)


def make_lexicon(support, rewrite, counts, threshold):
    """The lexical table without the counts below ``threshold``, totals taken after they are gone."""
    kept = np.where(counts >= threshold, counts, 0.0)
    log.info(
        f"lexicon: {np.count_nonzero(kept)} counts kept, "
        f"{1 - kept.sum() / counts.sum():.2e} of the mass left out"
    )
    totals = rewrite.totals(kept)
    words = len(support.word_rows) - 1
    block = kept[: len(support.summary)]
    stored = block > 0
    rows = np.concatenate([[0], np.cumsum(stored)])[support.word_rows]
    like = np.flatnonzero(support.kind[len(support.summary) :] != UNLIKE)
    pairs = support.phrase_pairs[like]
    return Lexicon(
        rows.astype(np.int64),
        support.summary[stored],
        block[stored],
        np.where(np.diff(support.word_rows) > 0, totals[:words], 0.0),
        np.stack([_padded(support.longer, pairs[:, side] - words) for side in (0, 1)], axis=1),
        kept[len(support.summary) :][like],
        totals[pairs[:, 0]],
    )


def _padded(phrases, chosen):
    """The chosen phrases as rows of word numbers, padded."""
    out = np.full((len(chosen), max(map(len, phrases), default=1)), PADDING, dtype=np.int32)
    for row, number in zip(out, chosen.tolist(), strict=True):
        row[: len(phrases[number])] = phrases[number]
    return out


@command
def main(arguments=None):
    """Train one jump model on a corpus and its extracts."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.semihmm.train", description=main.__doc__)
    parser.add_argument("--jump", required=True, help="jump model to train, such as relative")
    parser.add_argument("--corpus", required=True, help="corpus.jsonl of the corpus stage")
    parser.add_argument("--extracts", required=True, help="extracts.jsonl of the extract stage")
    parser.add_argument("--wordnet-data", help="folder made by `python -m pipeline.wordnet`")
    parser.add_argument("--trees", help="trees.npz of the parse stage, for a jump model that walks over them")
    parser.add_argument("--model", required=True, help="file to write, model.npz")
    parser.add_argument("--em", required=True, help="table to write, em.tsv: one row an iteration")
    parser.add_argument("--threads", type=int, default=1, help="pairs worked on at once (default: 1)")
    parser.add_argument("--log", help="file for the log (default: standard error)")
    add_options(parser, "semihmm", TRAINING)
    given = parser.parse_args(arguments)
    start_log(given.log)
    section("semihmm", {"jumps": [given.jump]})
    settings = {key: value for key, value in from_options(given, "semihmm").items() if key in STORED}
    senses, wordnet = None, ""
    if settings["wordnet"]:
        if not given.wordnet_data:
            raise InputError(
                "--wordnet-data is missing; make it with `python -m pipeline.wordnet`, "
                "or do without by --wordnet false"
            )
        senses = Senses(open_wordnet(given.wordnet_data))
        wordnet = json.loads((Path(given.wordnet_data) / "wordnet.json").read_text())["sha256"]
    trees = None
    if jump_model(given.jump).TREES:
        if not given.trees:
            raise InputError(
                f"--trees is missing; the jump model {given.jump} wants the trees of the documents"
            )
        trees = Trees.load(given.trees)
    code = fingerprint("pipeline.semihmm.train", f"pipeline.semihmm.{given.jump}")
    stamp = digest((code, settings, wordnet))
    corpus = read_extracted_pairs(given.corpus, given.extracts)
    inputs = [file_digest(path) for path in (given.corpus, given.extracts, given.trees) if path]
    checkpoint = Checkpoint(Path(given.model).with_suffix(".checkpoint.npz"), digest((stamp, inputs)))
    model, iterations = train(
        corpus, given.jump, settings, senses, given.threads, wordnet, stamp, trees, checkpoint
    )
    model.save(given.model)
    write_text(given.em, "\n".join([em.Iteration.HEADER, *(i.row() for i in iterations)]) + "\n")
    checkpoint.remove()


if __name__ == "__main__":
    main()
