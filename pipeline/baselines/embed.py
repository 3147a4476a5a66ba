"""The embedding aligner: words whose contextual vectors are each other's nearest (Jalili Sabet et al. 2020).

    python -m pipeline.baselines.embed --corpus corpus.jsonl --extracts extracts.jsonl \\
        --output alignments.jsonl

SimAlign's method Argmax: summary word i and document word j of the extract are linked when j is the most
similar of all to i and i of all to j, by the cosine of their vectors in a hidden layer of a pretrained
encoder. A word's vector is the mean of its pieces'. Sentences are encoded one by one, as there: with others
around them words find wrong ones more often. `make embed` installs what it wants. One thread: with more,
sums come in another order and near ties may be decided otherwise.
"""

import numpy as np

from pipeline import settings
from pipeline.alignments import Alignment
from pipeline.baselines.system import arguments, word_links, write_all
from pipeline.encode.transformer import open_encoder
from pipeline.fingerprint import digest, fingerprint
from pipeline.run.errors import command
from pipeline.run.progress import start_log

SYSTEM = "embed"


def mutual(summary, document):
    """Mutual best matches of the rows of two matrices: a dict row of ``summary`` → row of ``document``.

    The earlier of equally similar ones is the best; a zero row has none.
    """
    similarity = summary @ document.T
    there, back = similarity.argmax(axis=1), similarity.argmax(axis=0)
    return {i: int(j) for i, j in enumerate(there) if back[j] == i and similarity[i, j] > 0}


def align(pair, extract, encoder, mark=""):
    """The :class:`Alignment` of a pair."""
    positions = extract.positions(pair.document)
    document, summary = pair.document.words, pair.summary.words
    left = encoder.encode(summary, pair.summary.sentences)
    kept = [pair.document.sentences[s] for s in extract.sentences]
    ends = np.cumsum([0, *(end - start for start, end in kept)]).tolist()
    right = encoder.encode([document[p] for p in positions], list(zip(ends[:-1], ends[1:], strict=True)))
    cells = {i: [int(positions[j])] for i, j in mutual(left, right).items()}
    return Alignment(pair.id, SYSTEM, None, document, summary, word_links(cells, len(summary)), mark)


@command
def main(given=None):
    """Run the aligner from the command line."""
    parser = arguments("pipeline.baselines.embed", __doc__)
    settings.add_options(parser, SYSTEM)
    options = parser.parse_args(given)
    start_log(options.log)
    chosen = settings.from_options(options, SYSTEM)
    encoder = open_encoder(**chosen)
    mark = digest((fingerprint("pipeline.baselines.embed"), *encoder.about.values()))
    write_all(options, SYSTEM, lambda pair, extract: align(pair, extract, encoder, mark))


if __name__ == "__main__":
    main()
