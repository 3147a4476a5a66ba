"""Align with a translation model: ``python -m pipeline.baselines.align_translation``.

    python -m pipeline.baselines.align_translation --model hmm-doc --name hmm --source doc \\
        --corpus corpus.jsonl --extracts extracts.jsonl --output alignments.jsonl

The best alignment of each sentence pair (:mod:`pipeline.baselines.bitext`), mapped back to the whole
document. With the document as source, a summary word has at most one link: where a document side was cut, the
one of the first part that has any. With the summary as source it may have any number.
"""

from pipeline.alignments import Alignment
from pipeline.baselines import translation
from pipeline.baselines.bitext import sentence_pairs
from pipeline.baselines.system import arguments, keep_links, word_links, write_all
from pipeline.fingerprint import digest, file_digest, fingerprint
from pipeline.run.errors import command
from pipeline.run.progress import start_log


def align(pair, extract, model, source, longest, system, mark=""):
    """The :class:`Alignment` of a pair by a trained model of sil-thot."""
    document, summary = pair.document.words, pair.summary.words
    left, right = ([word.lower() for word in words] for words in (summary, document))
    cells = {}
    for sides in sentence_pairs(pair, extract, longest):
        made = translation.links(
            model, [right[j] for j in sides.document], [left[i] for i in sides.summary], source
        )
        rows = zip(sides.summary.tolist(), made, strict=True)
        keep_links(cells, {i: sides.document[row].tolist() for i, row in rows if row.any()}, source)
    return Alignment(pair.id, system, None, document, summary, word_links(cells, len(summary)), mark)


@command
def main(given=None):
    """Run the baseline from the command line."""
    parser = arguments("pipeline.baselines.align_translation", __doc__)
    parser.add_argument("--model", required=True, help="folder of `pipeline.baselines.train_translation`")
    parser.add_argument("--name", required=True, choices=translation.MODELS, help="which model it is")
    parser.add_argument(
        "--source", required=True, choices=translation.SOURCES, help="the source: document or summary"
    )
    options = parser.parse_args(given)
    start_log(options.log)
    model = translation.load(options.name, options.model)
    system = f"{options.name}-{options.source}"
    code = fingerprint("pipeline.baselines.align_translation")
    mark = digest((code, system, file_digest(options.model)))
    longest = translation.longest_sentence()
    write_all(
        options,
        system,
        lambda pair, extract: align(pair, extract, model, options.source, longest, system, mark),
    )


if __name__ == "__main__":
    main()
