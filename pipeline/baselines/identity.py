"""The identity baseline: each summary word goes to an equal word of the document, one to one.

    python -m pipeline.baselines.identity --corpus corpus.jsonl --extracts extracts.jsonl \\
        --output alignments.jsonl

Words match when they are equal, case aside. Of all matching pairs the one whose relative positions in summary
and extract are nearest is taken first, then the next whose words are both still free, and so on. It is
the floor: what a model is worth is what it adds to this.
"""

from collections import defaultdict

import numpy as np

from pipeline.alignments import Alignment, Link
from pipeline.baselines.system import arguments, write_all
from pipeline.fingerprint import digest, fingerprint
from pipeline.run.errors import command
from pipeline.run.progress import start_log

SYSTEM = "identity"


def match(summary, document):
    """Greedy one-to-one links between the equal words of two sequences: a dict summary → document position.

    The distance of a pair of positions i, j is that of their relative ones, |(i+½)/m − (j+½)/n|; of equally
    distant pairs the earlier in the summary comes first, then the earlier in the document.
    """
    places = (defaultdict(list), defaultdict(list))
    for words, found in zip((summary, document), places, strict=True):
        for position, word in enumerate(words):
            found[word].append(position)
    links = {}
    for word, left in places[0].items():
        right = places[1].get(word)
        if right:
            links |= _nearest(left, right, len(summary), len(document))
    return links


def _nearest(left, right, m, n):
    i, j = (grid.ravel() for grid in np.meshgrid(left, right, indexing="ij"))
    # In whole numbers, so that ties are ties.
    distance = np.abs((2 * i + 1) * n - (2 * j + 1) * m)
    links, taken = {}, set()
    for k in np.lexsort((j, i, distance)):
        a, b = int(i[k]), int(j[k])
        if a not in links and b not in taken:
            links[a] = b
            taken.add(b)
    return links


def align(pair, extract, mark=""):
    """The :class:`Alignment` of a pair; ``mark``: its fingerprint."""
    positions = extract.positions(pair.document)
    document, summary = pair.document.words, pair.summary.words
    links = match([word.lower() for word in summary], [document[p].lower() for p in positions])
    sources = (int(positions[links[i]]) if i in links else None for i in range(len(summary)))
    made = [Link((i, i + 1), None if p is None else (p, p + 1)) for i, p in enumerate(sources)]
    return Alignment(pair.id, SYSTEM, None, document, summary, made, mark)


@command
def main(given=None):
    """Run the baseline from the command line."""
    options = arguments("pipeline.baselines.identity", __doc__).parse_args(given)
    start_log(options.log)
    mark = digest(fingerprint("pipeline.baselines.identity"))
    write_all(options, SYSTEM, lambda pair, extract: align(pair, extract, mark))


if __name__ == "__main__":
    main()
