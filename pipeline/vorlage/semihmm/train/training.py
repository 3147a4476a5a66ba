"""Training: EM on a corpus, from its pairs to the model.

An interrupted training continues from its last checkpoint.
"""

import pickle
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from threadpoolctl import threadpool_limits

from vorlage.command.errors import InputError
from vorlage.command.processes import map_in_processes
from vorlage.command.progress import Progress, log
from vorlage.encoder.similarities import SimilarityStore
from vorlage.files.digests import digest, package_digest
from vorlage.files.outputs import replacing
from vorlage.semihmm.mixture import Parameters
from vorlage.semihmm.model import Model, Origin
from vorlage.semihmm.pairs import PairResources
from vorlage.semihmm.table import UNLIKE, are_longer, count_words, select_entries
from vorlage.semihmm.train.blocks import (
    Block,
    CorpusIndex,
    ExtractedPair,
    Store,
    allocate,
    collect_pairs,
    make_index,
)
from vorlage.semihmm.train.em import Iteration, Maximisation
from vorlage.semihmm.train.expectation import Expectations, expectation
from vorlage.semihmm.wordnet import WordNetDistances
from vorlage.settings import Training
from vorlage.trees.tree_arrays import Trees
from vorlage.types import Floats, JsonObject

SECONDS = 30.0  # between two checkpoints, at least


@dataclass(frozen=True)
class Resources:
    """What a training reads besides its corpus; None for what its settings and its jump model do without."""

    wordnet: WordNetDistances | None = None
    trees: Trees | None = None
    similarities: SimilarityStore | None = None
    reverse_model: Model | None = None
    origin: Origin = Origin()

    @property
    def encoder(self) -> JsonObject:
        """A description of the encoder of the similarities, empty without similarities."""
        return self.similarities.about if self.similarities else {}

    def sources(self, settings: Training) -> PairResources:
        """Return what pairs are made with."""
        trees, similarities = self.trees, self.similarities
        return PairResources(
            settings,
            self.wordnet,
            partial(_trees_of_all, trees) if trees else None,
            trees.labels if trees else (),
            similarities.get_all if similarities else None,
        )


def _trees_of_all(trees: Trees, sentences: list[list[str]]) -> Trees:
    """Return the trees, which have those of any sentences."""
    return trees


NO_RESOURCES = Resources()


class Checkpoint:
    """The state of a training in a file, from which an interrupted training continues.

    `key` is a text that tells the training from any other: its code, settings and inputs. The state of
    another training is ignored.
    """

    def __init__(self, path: Path, key: str) -> None:
        self.path, self.key, self._saved = path, key, time.monotonic()

    def save(self, parameters: Parameters, iterations: Sequence[Iteration]) -> None:
        """Write the parameters after some iterations, at most every `SECONDS`."""
        if time.monotonic() - self._saved >= SECONDS:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with replacing(self.path) as temporary:
                temporary.write_bytes(pickle.dumps((self.key, parameters, list(iterations))))
            self._saved = time.monotonic()

    def load(self) -> tuple[Parameters, list[Iteration]] | None:
        """Return parameters and iterations; None without the state of this training."""
        if not self.path.exists():
            return None
        with suppress(Exception):  # what a damaged file raises is not known
            key, parameters, iterations = pickle.loads(self.path.read_bytes())
            if key == self.key:
                return parameters, iterations
        log.info(f"{self.path}: is of another training, or damaged; starting from the beginning")
        return None


def train(
    corpus: Iterable[ExtractedPair],
    jump: str,
    settings: Training,
    resources: Resources = NO_RESOURCES,
    *,
    reverse: bool = False,
    folder: Path | None = None,
    processes: int = 1,
) -> tuple[Model, list[Iteration]]:
    """Train a model on a corpus, and return it with its iterations.

    `corpus`: read once; `jump`: the name of the jump model; `reverse`: train the other direction, which
    generates the extract from the summary; `folder`: of this training alone, from which an interrupted one
    continues. The result does not depend on `folder` and `processes`.

    Raises:
        InputError: for a corpus without pairs, a pair whose numbers float64 cannot hold, and a model of the
            other direction that was trained on another corpus.
    """
    reverse_model, origin = resources.reverse_model, resources.origin
    if reverse_model and reverse_model.origin.corpus != origin.corpus:
        raise InputError(
            "the model of the other direction was trained on another corpus; train it again (--reverse)"
        )
    with TemporaryDirectory(prefix="vorlage-", ignore_cleanup_errors=True) as temporary:
        folder = folder or Path(temporary)
        collected = collect_pairs(corpus, resources.sources(settings), folder, processes)
        index = make_index(collected, settings, resources.wordnet, folder, reverse)
        return fit(index, jump, settings, resources, folder, processes)


def fit(
    index: CorpusIndex, jump: str, settings: Training, resources: Resources, folder: Path, processes: int = 1
) -> tuple[Model, list[Iteration]]:
    """Train a model on an index, which any number of jump models share; for the rest, see `train`."""
    processes, size = min(processes, len(index.blocks)), len(index.table.partners)
    log.info(
        f"{len(index.lengths)} pairs, {len(index.vocabulary.words)} words, {len(index.table.longer)} longer "
        f"phrases, {size} phrase pairs"
    )
    if index.swapped:
        settings = settings.model_copy(
            update={"null_probability": reversed_null(settings.null_probability, index)}
        )
    maximisation = Maximisation(index, settings)
    key = digest((resources.origin.fingerprint, package_digest(), jump, index.swapped))
    checkpoint = Checkpoint(folder / "state", key)
    if state := checkpoint.load():
        parameters, iterations = state
        log.info(f"continuing after iteration {len(iterations)}, from {folder}")
    else:
        labels = resources.trees.labels if resources.trees else ()
        parameters, iterations = maximisation.start(jump, labels, resources.wordnet is not None), []
    units = len(index.blocks) * settings.iterations
    with one_thread(), Progress(f"train {jump}", units, "blocks") as progress:
        progress.advance(len(index.blocks) * len(iterations))
        while not maximisation.has_ended(iterations):
            began, norms = time.time(), index.norms(parameters.eta)
            stored = Store(parameters, folder / "parameters" if processes > 1 else None)
            opener = partial(_open_expectation, stored, norms, settings)
            parts = progress.count(map_in_processes(opener, index.blocks, processes))
            counts = allocate(folder if len(index.blocks) > 1 else None, size, np.float64)
            expected = maximisation.add_up(parts, parameters.jumps, counts)
            iteration, parameters = maximisation.step(parameters, expected, iterations, began)
            iterations.append(iteration)
            checkpoint.save(parameters, iterations)
            progress.describe(f"iteration {len(iterations)}, log-posterior {iteration.log_posterior:.6g}")
    return make_model(maximisation, parameters, resources), iterations


def one_thread() -> threadpool_limits:
    """Limit BLAS to one thread, since more would take sums in another order: NumPy's and that of kernels."""
    import scipy.linalg  # noqa: F401 - the kernels' one, which has no limit unless it is there

    return threadpool_limits(1, user_api="blas")


def _open_expectation(
    parameters: Store[Parameters], norms: Floats, settings: Training
) -> Callable[[Block], Expectations]:
    """Return a function that takes the E-step over a block."""
    one_thread()
    return partial(expectation, parameters=parameters.get(), norms=norms, settings=settings)


def reversed_null(null: float | str, index: CorpusIndex) -> float | str:
    """Return φ of the other direction, in which each document word is generated from the summary.

    If links were one to one, a share 1 − (1 − φ)·T/n of the n document words would have no source in the T
    summary words; because several document words may become one summary word, the square root of T/n is
    used. `null`: φ of the direction from the document, or `uniform`, which stays.
    """
    if isinstance(null, str):
        return null
    share = min(index.lengths.sum() / index.vocabulary.frequency.sum(), 1.0)
    # Never below φ, but rounding can take a tiny one to 0.
    return max(float(1.0 - (1.0 - null) * np.sqrt(share)), null)


def make_model(maximisation: Maximisation, parameters: Parameters, resources: Resources) -> Model:
    """Return the model of some parameters, without the smallest counts of the lexical table.

    Stored are the pairs with a count of at least `lexical_threshold` and the longer phrase pairs that are
    equal, or equal up to stem, or all of these if the null state emits them, too. The totals are taken after
    smaller counts are removed.
    """
    index, settings, table = maximisation.index, maximisation.settings, maximisation.index.table
    counts = parameters.counts
    kept = np.where(counts >= settings.lexical_threshold, counts, 0.0)
    null_emits = maximisation.null_size > count_words(table)
    stored = (kept > 0) | are_longer(table) & ((table.kind != UNLIKE) | null_emits)
    lost = (counts.sum() - kept[stored].sum()) / max(counts.sum(), np.finfo(float).tiny)
    log.info(f"lexicon: stored {np.count_nonzero(kept[stored])} counts, left out {lost:.2e} of their sum")
    selected, rows = select_entries(table, stored)
    # 0 for a word in no document, and for a longer phrase without a stored pair.
    occurs = np.append(
        np.diff(table.rows)[: count_words(table)], np.diff(selected.rows)[count_words(table) :]
    )
    return Model(
        parameters=replace(
            parameters,
            counts=kept[stored],
            totals=maximisation.totals(kept)[rows] * (occurs > 0),
            null=parameters.null[rows] if null_emits else parameters.null,
        ),
        table=selected,
        vocabulary=index.vocabulary,
        readings=index.readings,
        settings=settings,
        origin=resources.origin,
        parser=resources.trees.parser if resources.trees else {},
        encoder=resources.encoder,
        reverse=resources.reverse_model,
        stems=index.stems,
    )
