"""Translation models of sil-thot: which there are, how they are trained, kept and asked.

IBM Model 1, the HMM aligner (Vogel, Ney & Tillmann 1996) and IBM Model 4 (Brown et al. 1993), each trained
from the one before, as in Daumé & Marcu 2005 (Section 5.1.1); fast_align (Dyer, Chahuneau & Smith 2013);
eflomal (Östling & Tiedemann 2016). The source is the document (``doc``) or the summary (``sum``): a model
generates the words of the other side, each from one source word or from none. Model 4 is given no word
classes.
"""

import errno
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from pipeline.fingerprint import file_digest
from pipeline.io.arrays import replacing_folder
from pipeline.io.checksums import check_folder, inside
from pipeline.io.outputs import scratch
from pipeline.run.errors import InputError
from pipeline.run.progress import Progress

# The class of each model in sil-thot, and the model that it is trained from.
MODELS = {
    "ibm1": ("Ibm1AlignmentModel", None),
    "hmm": ("HmmAlignmentModel", "ibm1"),
    "model4": ("Ibm4AlignmentModel", "hmm"),
    "fastalign": ("FastAlignModel", None),
    "eflomal": ("EflomalAlignmentModel", None),
}
SOURCES = ("doc", "sum")
PREFIX = "model"


def make_model(name, start=None):
    """An untrained model of sil-thot, from a trained ``start`` where it wants one."""
    import thot.alignment

    kind = getattr(thot.alignment, MODELS[name][0])
    return kind(start) if start is not None else kind()


def longest_sentence():
    """How many words a sentence may have, by the strictest of the models; the library skips longer ones."""
    return min(make_model(name).max_sentence_length for name in MODELS)


def train(name, pairs, source, iterations, seed, start=None):
    """A model trained on ``pairs``, (document words, summary words), for a number of iterations.

    With a ``start`` it takes the sentences that this was trained on, and ``pairs`` are passed over. eflomal
    has a schedule of its own and a ``seed``. One thread: with more, sums come in another order each time.
    """
    model = make_model(name, start)
    if start is None:
        for document, summary in pairs:
            model.add_sentence_pair(*((document, summary) if source == "doc" else (summary, document)))
    if name == "eflomal":
        model.seed, model.deterministic = seed, True
    with threadpool_limits(1, user_api="openmp"):
        used = model.start_training()
        if used != model.num_sentence_pairs:
            raise InputError(
                f"sil-thot takes {used} of {model.num_sentence_pairs} sentence pairs for {name}; "
                "look for empty sentences, or for ones of too many words"
            )
        if name == "eflomal":
            iterations = model.scheduled_iterations
        with Progress(f"train {name}", iterations, "iterations") as progress:
            for _ in range(iterations):
                model.train()
                progress.advance()
        model.end_training()
    return model


def links(model, document, summary, source):
    """The links of a sentence pair: bool (summary words, document words)."""
    if source == "doc":
        return np.array(model.get_best_alignment(document, summary)[1].to_numpy(), dtype=bool).T
    return np.array(model.get_best_alignment(summary, document)[1].to_numpy(), dtype=bool)


def save(model, folder):
    """Write a model to a folder, whole or not at all, with checksums: sil-thot takes any numbers it finds.

    Nor does it say when the disk is full. So it writes twice: what finds no room the first time finds less
    the second.
    """
    with replacing_folder(folder, summed=True) as made, scratch(folder) as again:
        written = [model.print(str(place / PREFIX)) for place in (made, again)]
        empty = not any(file.stat().st_size for file in made.iterdir())
        if not all(written) or empty or file_digest(made) != file_digest(again):
            raise OSError(errno.EIO, "the translation model was not written as a whole", str(folder))


def load(name, folder):
    """The model ``name`` in a folder that :func:`save` wrote; raises :class:`InputError` where it is not."""
    model = make_model(name)
    check_folder(folder)
    if not inside(folder).is_file() or not model.load(str(Path(folder) / PREFIX)):
        raise InputError(
            f"{folder}: no translation model {name}; "
            "make one with `python -m pipeline.baselines.train_translation`"
        )
    return model
