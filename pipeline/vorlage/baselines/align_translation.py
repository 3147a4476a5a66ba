"""Align with a translation model: `vorlage align-translation`.

    vorlage align-translation --model hmm-doc --name hmm --source doc \\
        --corpus corpus.jsonl --extracts extracts.jsonl --output alignments.jsonl

The alignment is the best one of each sentence pair (`vorlage.baselines.bitext`), mapped back to the
whole document. With the document as source, a summary word has at most one link; where the document side was
cut, it is the link of the first part that has one. With the summary as source, it may have any number of
links.
"""

from dataclasses import dataclass

from vorlage.alignments.alignment import Alignment
from vorlage.baselines import translation
from vorlage.baselines.bitext import lower_words, sentence_pairs
from vorlage.baselines.system import (
    WordLinks,
    make_alignment,
    make_parser,
    merge_links,
    stamp,
    to_links,
    write_all,
)
from vorlage.baselines.translation import TranslationModel
from vorlage.command.errors import command
from vorlage.corpus.pair import Pair
from vorlage.extract.extracts import Extract
from vorlage.fingerprint import file_digest


@dataclass(frozen=True)
class TranslationAligner:
    """Alignment by a trained model of sil-thot, whose sentences have at most `longest` words."""

    model: TranslationModel
    source: str
    longest: int
    fingerprint: str
    system: str

    def align(self, pair: Pair, extract: Extract) -> Alignment:
        """Return the alignment of a pair."""
        document, summary = lower_words(pair)
        word_links: WordLinks = {}
        for sides in sentence_pairs(pair, extract, self.longest):
            links = translation.best_links(
                self.model,
                [document[j] for j in sides.document],
                [summary[i] for i in sides.summary],
                self.source,
            )
            rows = zip(sides.summary.tolist(), links, strict=True)
            added = {i: sides.document[row].tolist() for i, row in rows if row.any()}
            merge_links(word_links, added, self.source)
        return make_alignment(self, pair, to_links(word_links, len(summary)))


@command
def main(arguments: list[str] | None = None) -> None:
    """Align a corpus with a translation model."""
    parser = make_parser("align-translation", main, __doc__)
    parser.add_argument("--model", required=True, help="folder of `vorlage.baselines.train_translation`")
    parser.add_argument("--name", required=True, choices=translation.MODELS, help="which model it is")
    parser.add_argument(
        "--source", required=True, choices=translation.SOURCES, help="the source: document or summary"
    )
    options = parser.parse(arguments)
    model = translation.load(options.name, options.model)
    system = f"{options.name}-{options.source}"
    mark = stamp(system, file_digest(options.model))
    longest = translation.longest_sentence()
    write_all(options, TranslationAligner(model, options.source, longest, mark, system))
