"""Training: EM on a corpus, from its pairs to the model.

An interrupted training continues from the state after its last whole iteration.
"""

import shutil
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from vorlage.command.errors import InputError
from vorlage.command.processes import map_in_processes
from vorlage.command.progress import Progress, log
from vorlage.encoder.similarities import SimilarityStore
from vorlage.files.outputs import replacing_folder
from vorlage.fingerprint import digest, package_fingerprint
from vorlage.semihmm.jumps.base import JumpModel, jump_model
from vorlage.semihmm.model import Model, Origin
from vorlage.semihmm.pairs import Sources
from vorlage.semihmm.rewrite import Parameters
from vorlage.semihmm.table import UNLIKE, are_longer, count_words, select_entries
from vorlage.semihmm.train.blocks import Block, Extracted, Index, allocate, collect_blocks, make_index
from vorlage.semihmm.train.em import Expectations, Iteration, Maximisation, expectation
from vorlage.semihmm.wordnet import WordNetDistances
from vorlage.settings import Training
from vorlage.trees.tree_arrays import Trees
from vorlage.types import AnyArray, Floats, JsonObject

STATE = "iteration-"  # before the number of the last iteration, in the names of folders
NO_ORIGIN = Origin()


@dataclass(frozen=True)
class Resources:
    """What a training reads besides its corpus; None for what its settings and its jump model do without.

    `origin`: what the model is made from, which is written to its file.
    """

    wordnet: WordNetDistances | None = None
    trees: Trees | None = None
    similarities: SimilarityStore | None = None
    reverse_model: Model | None = None
    origin: Origin = NO_ORIGIN

    @property
    def encoder(self) -> JsonObject:
        """A description of the encoder of the similarities, empty without similarities."""
        return self.similarities.about if self.similarities else {}

    def sources(self, settings: Training) -> Sources:
        """Return what pairs are made with."""
        trees, similarities = self.trees, self.similarities
        return Sources(
            settings,
            self.wordnet,
            partial(_trees_of_all, trees) if trees else None,
            trees.labels if trees else (),
            similarities.get if similarities else None,
        )


def _trees_of_all(trees: Trees, sentences: list[list[str]]) -> Trees:
    """Return the trees, which have those of any sentences."""
    return trees


NO_RESOURCES = Resources()


class Checkpoint:
    """A folder with the state of a training, in a subfolder that is named after the last iteration.

    `key` is a text that tells the training from any other: its code, settings and inputs. The state of
    another training is ignored.
    """

    def __init__(self, folder: Path, key: str) -> None:
        self.folder, self.key = folder, key

    def save(self, parameters: Parameters, iterations: Sequence[Iteration]) -> None:
        """Write the parameters after some iterations, and remove the state before."""
        old = self._states()
        rows = [iteration.numbers() for iteration in iterations]
        table = np.array(rows, dtype=float).reshape(len(rows), 6 + len(parameters.weights))
        arrays = {"key": np.array(self.key), "iterations": table, **parameters.to_arrays()}
        with replacing_folder(self.folder / f"{STATE}{len(iterations)}") as temporary:
            for name, array in arrays.items():
                np.save(temporary / f"{name}.npy", array, allow_pickle=False)
        for number, path in old.items():
            if number != len(iterations):
                shutil.rmtree(path)

    def load(self, jumps: type[JumpModel]) -> tuple[Parameters, list[Iteration]] | None:
        """Return parameters and iterations; None for a training that has not begun, or for a damaged state.

        `jumps`: the class of the jump model.
        """
        states = self._states()
        if not states:
            return None
        with suppress(EOFError, KeyError, OSError, ValueError):  # of files that a crash has left empty or cut
            state = {path.stem: _map(path) for path in states[max(states)].glob("*.npy")}
            if str(state["key"]) == self.key:
                iterations = [Iteration.of_numbers(row) for row in state["iterations"]]
                return Parameters.from_arrays(state, jumps), iterations
        log.info(f"{self.folder}: is of another training, or damaged; starting from the beginning")
        shutil.rmtree(self.folder)
        return None

    def _states(self) -> dict[int, Path]:
        """Return the folders of states by their iterations."""
        return {int(p.name.removeprefix(STATE)): p for p in self.folder.glob(f"{STATE}*")}


def _map(path: Path) -> AnyArray:
    """Return the array of a file, mapped; it is writable, because kernels are compiled again for others."""
    return np.asarray(np.load(path, mmap_mode="c", allow_pickle=False))


def train(
    corpus: Iterable[Extracted],
    jump: str,
    settings: Training,
    resources: Resources = NO_RESOURCES,
    *,
    reverse: bool = False,
    folder: Path | None = None,
    processes: int = 1,
) -> tuple[Model, list[Iteration]]:
    """Train a model on a corpus, and return it with its iterations.

    The result does not depend on `folder` and `processes`.

    Args:
        corpus: the pairs with their extracts, read once.
        jump: the name of the jump model.
        settings: those of training.
        resources: what the settings and the jump model need besides the corpus.
        reverse: train the other direction, which generates the extract from the summary.
        folder: a folder of this training alone, from which an interrupted training continues.
        processes: how many work on the blocks of the corpus.

    Raises:
        InputError: for a corpus without pairs, a pair whose numbers float64 cannot hold, and a model of the
            other direction that was trained on another corpus.
    """
    other, origin = resources.reverse_model, resources.origin
    if other and other.origin.corpus != origin.corpus:
        raise InputError(
            "the model of the other direction was trained on another corpus; train it again (--reverse)"
        )
    with ExitStack() as stack:
        if not folder:
            temporary = TemporaryDirectory(prefix="vorlage-", ignore_cleanup_errors=True)
            folder = Path(stack.enter_context(temporary))
        checkpoint = Checkpoint(folder, digest((origin.fingerprint, package_fingerprint())))
        state = checkpoint.load(jump_model(jump))
        blocks = collect_blocks(corpus, resources.sources(settings), reverse, folder / "blocks", processes)
        index_folder = folder / "blocks" if len(blocks) > 1 else None
        processes = min(processes, len(blocks))
        index = make_index(blocks, settings, resources.wordnet, index_folder)
        log.info(index.summary())
        if reverse:
            settings = settings.model_copy(update={"null_start": reversed_null(settings.null_start, index)})
        maximisation = Maximisation(index, settings)
        if state:
            parameters, iterations = state
            log.info(f"continuing after iteration {len(iterations)}, from {folder}")
        else:
            labels = resources.trees.labels if resources.trees else ()
            parameters, iterations = maximisation.start(jump, labels, resources.wordnet is not None), []
            checkpoint.save(parameters, iterations)
        with Progress(f"train {jump}", len(blocks) * settings.iterations, "blocks") as progress:
            progress.advance(len(blocks) * len(iterations))
            while not maximisation.has_ended(iterations):
                began, norms = time.time(), index.norms(parameters.eta)
                if len(blocks) == 1:
                    parts = iter([expectation(blocks[0], parameters, norms, settings)])
                else:
                    opener = partial(_open_expectation, checkpoint, jump, norms, settings)
                    parts = map_in_processes(opener, blocks, processes)
                counts = allocate(index_folder, "counts", len(index.table.partners), np.float64)
                expected = maximisation.add_up(blocks, progress.count(parts), parameters.jumps, counts)
                iteration, parameters = maximisation.step(parameters, expected, iterations, began)
                iterations.append(iteration)
                checkpoint.save(parameters, iterations)
                progress.describe(f"iteration {len(iterations)}, log-posterior {iteration.log_posterior:.6g}")
        model = make_model(jump, maximisation, parameters, resources)
    return model, iterations


def _open_expectation(
    checkpoint: Checkpoint, jump: str, norms: Floats, settings: Training
) -> Callable[[Block], Expectations]:
    """Return a function that takes the E-step over a block, with the parameters of a checkpoint."""
    state = checkpoint.load(jump_model(jump))
    assert state is not None
    return lambda block: expectation(block, state[0], norms, settings)


def reversed_null(null: float | str, index: Index) -> float | str:
    """Return φ of the other direction, in which each document word is generated from the summary.

    If links were one to one, a share 1 − (1 − φ)·T/n of the n document words would have no source in the T
    summary words; because several document words may become one summary word, the square root of T/n is
    used. `null`: φ of the direction from the document, or `uniform`, which stays.
    """
    if isinstance(null, str):
        return null
    share = min(index.lengths.sum() / index.known.frequency.sum(), 1.0)
    # Never below φ, but rounding can take a tiny one to 0.
    return max(float(1.0 - (1.0 - null) * np.sqrt(share)), null)


def make_model(
    jump: str, maximisation: Maximisation, parameters: Parameters, resources: Resources = NO_RESOURCES
) -> Model:
    """Return the model of some parameters, without the smallest counts of the lexical table.

    Stored are the pairs with a count of at least `lexical_threshold` and the longer phrase pairs that are
    equal, or equal up to stem, or all of these if the null state emits them, too. The totals are taken after
    smaller counts are removed.

    Args:
        jump: the name of the jump model.
        maximisation: with the index and the settings of training.
        parameters: in the numbers of the index.
        resources: of the training.
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
        jump=jump,
        parameters=replace(
            parameters,
            counts=kept[stored],
            totals=maximisation.totals(kept)[rows] * (occurs > 0),
            null=parameters.null[rows] if null_emits else parameters.null,
        ),
        table=selected,
        words=list(index.known.words),
        word_stems=list(index.known.stems),
        frequency=index.known.frequency,
        readings=index.readings,
        language=index.known.language,
        settings=settings,
        origin=resources.origin,
        parser=resources.trees.parser if resources.trees else {},
        encoder=resources.encoder,
        reverse=resources.reverse_model,
        stems=index.stems,
    )
