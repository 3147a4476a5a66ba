"""EM on a corpus in one process, from its pairs to the model."""

import time
from collections.abc import Iterable

import numpy as np

from vorlage.command.progress import Progress, log
from vorlage.corpus.pair import Pair
from vorlage.extract.extracts import Extract
from vorlage.semihmm.jumps.base import Shape, jump_model
from vorlage.semihmm.jumps.forest import forests_of
from vorlage.semihmm.jumps.pruning import leaves_out
from vorlage.semihmm.model import Model, Origin
from vorlage.semihmm.rewrite.mixture import Mixture
from vorlage.semihmm.train import em, model1
from vorlage.semihmm.train.checkpoint import Checkpoint
from vorlage.semihmm.train.expectation import Sums, expectation, pruning_loss
from vorlage.semihmm.train.index import Index, Rows
from vorlage.semihmm.train.merge import make_index, merge_rows
from vorlage.semihmm.train.model1 import is_by_model1
from vorlage.semihmm.train.pairs import Entries, ShardPairs
from vorlage.semihmm.train.parameters import Parameters
from vorlage.semihmm.train.resources import Resources, similarities_of
from vorlage.semihmm.train.results import make_lexicon, make_model
from vorlage.semihmm.train.shard import Shard, collect
from vorlage.trees.tree_arrays import Trees
from vorlage.types import AnyArray, Bools, JsonObject

NOWHERE = Origin()
NOTHING = Resources()


def train(
    corpus: Iterable[tuple[Pair, Extract]],
    jump: str,
    settings: JsonObject,
    resources: Resources = NOTHING,
    *,
    reverse: bool = False,
    checkpoint: Checkpoint | None = None,
    origin: Origin = NOWHERE,
    threads: int = 1,
) -> tuple[Model, list[em.Iteration]]:
    """Train a model on a corpus, an iterable of pairs with their extracts, and return it with its iterations.

    `reverse`: train the other direction, which generates the extract from the summary. `checkpoint`:
    where each iteration is saved, and from where an interrupted training continues.
    """
    trees, similarities = resources.trees, resources.similarities
    forests = forests_of(trees) if trees else None
    similar = similarities_of(similarities) if similarities else None
    # The shard has no name, so that what only the index needs is freed.
    index, rows, pairs = number_pairs(
        collect(corpus, settings, resources.wordnet, forests, similar, reverse), settings, resources
    )
    if reverse:
        settings = settings | {"null_start": reversed_null(settings["null_start"], index)}
    state = checkpoint.load(jump_model(jump)) if checkpoint else None
    if state:
        parameters, iterations, kept = state
    else:
        table = em.lexical(index, rows, np.zeros(len(rows.kind)))
        parameters = initial_parameters(index, table, jump, settings, trees, resources.wordnet is not None)
        iterations, kept = [], pairs.all_sentences()
    with Progress(f"train {jump}", index.pairs * settings["iterations"]) as progress:
        progress.advance(index.pairs * len(iterations))
        while not em.has_ended(iterations, settings):
            began = time.time()
            if is_by_model1(iterations, settings):
                expected = model1.expectation(pairs, parameters)
            else:
                expected, kept = expectation(pairs, parameters, kept, settings, threads, progress.advance)
            if pairs.numbers.entries is not None:
                sums = Sums(len(rows.kind), len(index.words))
                sums.add(expected, pairs.numbers.entries, pairs.words)
                expected = sums.total()
            table = em.maximise_lexical(index, rows, expected.counts, settings)
            iteration, parameters = em.step(index, parameters, expected, table, settings, iterations, began)
            iterations.append(iteration)
            if checkpoint:
                checkpoint.save(parameters, iterations, kept)
            progress.describe(f"iteration {len(iterations)}, log-posterior {iteration.log_posterior:.6g}")
            if leaves_out(settings):
                log.info(f"{kept.mean():.1%} of the document sentences are kept")
    if leaves_out(settings):
        log_pruning_loss(pairs, parameters, kept, settings)
    parser, encoder, other = resources.parser, resources.encoder, resources.reverse_model
    lexicon = make_lexicon(index, [(rows, parameters.counts)], settings["lexical_threshold"])
    return make_model(jump, index, parameters, lexicon, settings, origin, parser, encoder, other), iterations


def number_pairs(
    shard: Shard, settings: JsonObject, resources: Resources = NOTHING
) -> tuple[Index, Rows, ShardPairs]:
    """Return the index of a corpus that is one shard, its rows, and its pairs as the E-step takes them."""
    tables = shard.tables()
    index, (numbers,) = make_index([tables], settings, resources.wordnet)
    entries: list[AnyArray] = []
    span, least = (0, len(numbers.rows)), settings["lexical_cooccurrence"]
    rows, phrase_entries = merge_rows(
        [tables], [numbers.rows], index, span, least, lambda part, shard: entries.append(part)
    )
    log.info(f"{index.summary()}, {rows.summary()}")
    numbers = numbers._replace(share=rows.share)
    if rows.unlisted.any():
        numbers = numbers._replace(entries=np.concatenate(entries + phrase_entries))
    own = Entries(shard.support.table, shard.support.distance, shard.support.occurrences)
    return index, rows, ShardPairs(shard.instances, own, numbers, index.fake, settings)


def initial_parameters(
    index: Index, table: em.Lexical, jump: str, settings: JsonObject, trees: Trees | None, wordnet: bool
) -> Parameters:
    """Return the parameters that EM starts from.

    `table`: without counts; `wordnet`: whether there is a WordNet part.
    """
    jumps = jump_model(jump).start(Shape(index.longest, trees.labels if trees else ()), settings)
    return em.start(index, table, jumps, Mixture.start(wordnet, settings["encoder"]), settings)


def reversed_null(null: float | str, index: Index) -> float | str:
    """Return φ of the other direction, in which each document word is generated from the summary.

    `null`: φ of the direction from the document, or `uniform`, which stays. If links were one to one, a
    share 1 − (1 − φ)·T/n of the n document words would have no source in the T summary words; because several
    document words may become one summary word, the square root of T/n is used. `index`: of the other
    direction.
    """
    if isinstance(null, str):
        return null
    share = min(index.document_words / index.frequency.sum(), 1.0)
    # Never below φ, but rounding can take a tiny one to 0.
    return max(float(1.0 - (1.0 - null) * np.sqrt(share)), null)


def log_pruning_loss(pairs: ShardPairs, parameters: Parameters, kept: Bools, settings: JsonObject) -> None:
    """Log how much log-likelihood pruning loses on a sample of the pairs."""
    count, whole, pruned = pruning_loss(pairs, parameters, kept, settings)
    lost = (pruned - whole) / (whole or 1.0)
    log.info(
        f"log-likelihood of {count} pairs under the last parameters: {whole:.8g} exact, "
        f"{pruned:.8g} pruned; pruning loses {whole - pruned:.4g}, {lost:.2e} of it"
    )
