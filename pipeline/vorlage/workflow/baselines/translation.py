"""Translation models of sil-thot, their links, and the command that trains them: `vorlage train-translation`.

    vorlage train-translation --model ibm1 --source doc --corpus corpus.jsonl \\
        --extracts extracts.jsonl --output ibm1-doc
    vorlage train-translation --model hmm --source doc --start ibm1-doc --output hmm-doc

IBM Model 1, the HMM aligner (Vogel, Ney & Tillmann 1996) and IBM Model 4 (Brown et al. 1993), each trained
from the model before it, as in Daumé & Marcu 2005 (Section 5.1.1); fast_align (Dyer, Chahuneau & Smith 2013);
eflomal (Östling & Tiedemann 2016). The source is the document (`doc`) or the summary (`sum`): a model
generates the words of the other side, each from one source word or from none. Model 4 gets no word classes.
The training data are the sentence pairs of `vorlage.workflow.baselines.bitext`.
"""

import errno
from argparse import Namespace
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import thot.alignment
from threadpoolctl import threadpool_limits

from vorlage.alignments.alignment import Link
from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser
from vorlage.command.progress import Progress, log
from vorlage.documents.pair import Pair
from vorlage.extract.extracts import Extract
from vorlage.files.outputs import replacing_folder
from vorlage.settings import Translation
from vorlage.types import Bools, StrPath
from vorlage.workflow.baselines.bitext import (
    SentencePair,
    SentenceWords,
    align_bitext,
    lower_words,
    make_bitext,
)
from vorlage.workflow.baselines.system import Baseline
from vorlage.workflow.fingerprint import file_digest

# The classes of the models in sil-thot, and the models that others start from.
MODELS = {
    "ibm1": "Ibm1AlignmentModel",
    "hmm": "HmmAlignmentModel",
    "model4": "Ibm4AlignmentModel",
    "fastalign": "FastAlignModel",
    "eflomal": "EflomalAlignmentModel",
}
START = {"hmm": "ibm1", "model4": "hmm"}
SOURCES = ("doc", "sum")
PREFIX = "model"
# A model of sil-thot, which has no type hints.
TranslationModel: TypeAlias = Any


def make_model(name: str, start: TranslationModel | None = None) -> TranslationModel:
    """Return an untrained model of sil-thot; `start` is the trained model that its training starts from."""
    model_class = getattr(thot.alignment, MODELS[name])
    return model_class(start) if start is not None else model_class()


def longest_sentence() -> int:
    """Return the longest sentence that all models accept, in words; the library skips longer ones."""
    return min(make_model(name).max_sentence_length for name in MODELS)


def train(
    name: str,
    pairs: Iterable[SentenceWords],
    source: str,
    iterations: int,
    seed: int,
    start: TranslationModel | None = None,
) -> TranslationModel:
    """Return a trained model.

    Training takes one thread, because more threads add up sums in a different order each time.

    Args:
        name: one of `MODELS`.
        pairs: the training data; a model with a `start` uses those of that model.
        source: `doc` or `sum`.
        iterations: the number of iterations; eflomal has its own schedule.
        seed: of eflomal.
        start: the trained model to start from.
    """
    model = make_model(name, start)
    if start is None:
        for document, summary in pairs:
            model.add_sentence_pair(*((document, summary) if source == "doc" else (summary, document)))
    if name == "eflomal":
        model.seed, model.deterministic = seed, True
    with threadpool_limits(1, user_api="openmp"):
        model.start_training()
        if name == "eflomal":
            iterations = model.scheduled_iterations
        with Progress(f"train {name}", iterations, "iterations") as progress:
            for _ in range(iterations):
                model.train()
                progress.advance()
        model.end_training()
    return model


def best_links(
    model: TranslationModel, document: Sequence[str], summary: Sequence[str], source: str
) -> Bools:
    """Return the links of the best alignment of a sentence pair, shape (summary words, document words)."""
    if source == "doc":
        return np.array(model.get_best_alignment(document, summary)[1].to_numpy(), dtype=bool).T
    return np.array(model.get_best_alignment(summary, document)[1].to_numpy(), dtype=bool)


def save(model: TranslationModel, folder: StrPath) -> None:
    """Write a model to a folder, whole or not at all."""
    with replacing_folder(folder) as new:
        if not model.print(str(new / PREFIX)):
            raise OSError(errno.EIO, "the translation model was not written completely", str(folder))


def load(name: str, folder: StrPath) -> TranslationModel:
    """Return the model `name` that `save` wrote to a folder; raise `InputError` if there is none."""
    model = make_model(name)
    if not model.load(str(Path(folder) / PREFIX)):
        raise InputError(f"{folder}: no translation model {name}; train one with `vorlage train-translation`")
    return model


def open_system(options: Namespace) -> Baseline:
    """Return a system of the command `vorlage baseline`, such as `hmm-doc`, by its trained model."""
    if not options.translation:
        raise InputError(
            f"--translation is missing: pass the model {options.system} of `vorlage train-translation`"
        )
    name, _, source = options.system.partition("-")
    model = load(name, options.translation)
    longest = longest_sentence()

    def align(pair: Pair, extract: Extract) -> list[Link]:
        document, summary = lower_words(pair)

        def align_sides(sides: SentencePair) -> list[tuple[int, int]]:
            words = [document[j] for j in sides.document], [summary[i] for i in sides.summary]
            return [(int(j), int(i)) for j, i in np.argwhere(best_links(model, *words, source).T)]

        return align_bitext(pair, extract, longest, source, align_sides)

    return Baseline(align, (file_digest(options.translation),))


@command
def main(arguments: list[str] | None = None) -> None:
    """Train a translation model on a corpus and its extracts."""
    parser = CommandParser("train-translation", main)
    parser.add_argument("--model", required=True, choices=MODELS, help="which model")
    parser.add_argument("--source", required=True, choices=SOURCES, help="the source: document or summary")
    parser.add_argument(
        "--start", help="folder of the model to start from: hmm needs an ibm1, model4 needs an hmm"
    )
    parser.add_argument("--corpus", help="corpus.jsonl of the corpus stage, without --start")
    parser.add_argument("--extracts", help="extracts.jsonl of the extract stage, without --start")
    parser.add_argument("--output", required=True, help="folder to write")
    parser.add_argument("--seed", type=int, default=1, help="seed of eflomal (default: 1)")
    Translation.add_options(parser)
    options = parser.parse(arguments)
    settings = Translation.from_options(options)
    start, pairs = None, list[SentenceWords]()
    if start_name := START.get(options.model):
        if not options.start:
            raise InputError(
                f"--start is missing: the training of {options.model} starts from {start_name}; "
                "give the folder of that model"
            )
        start = load(start_name, options.start)
    elif options.corpus and options.extracts:
        pairs = make_bitext(options.corpus, options.extracts, longest_sentence())
    else:
        raise InputError(f"--corpus and --extracts are missing: {options.model} is trained on them")
    model = train(options.model, pairs, options.source, settings.iterations, options.seed, start)
    save(model, options.output)
    log.info(f"{options.model}: trained on {model.num_sentence_pairs} sentence pairs")
