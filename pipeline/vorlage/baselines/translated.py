"""Links by a translation model: those of the best alignment of each sentence pair, in the whole document."""

from argparse import Namespace

import numpy as np

from vorlage.alignments.alignment import Link
from vorlage.baselines.bitext import SentencePair, align_bitext, lower_words
from vorlage.baselines.system import Baseline
from vorlage.baselines.translation import best_links, load, longest_sentence
from vorlage.command.errors import InputError
from vorlage.corpus.pair import Pair
from vorlage.extract.extracts import Extract
from vorlage.fingerprint import file_digest


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
