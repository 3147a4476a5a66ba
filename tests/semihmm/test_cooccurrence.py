"""The word block of the support against sets of word pairs, and sums over words against NumPy."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from vorlage.semihmm.rewrite.instances import Instance
from vorlage.semihmm.rewrite.support import build_support

WORDS = 9
texts = st.lists(st.integers(0, WORDS - 1), min_size=1, max_size=12)


def instance(number, document, summary):
    words = np.array(document, dtype=np.int32), np.array(summary, dtype=np.int32)
    breaks = ((0, len(document)),), ((0, len(summary)),)
    return Instance(str(number), *words, np.arange(len(document)), *breaks)


@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=5))
def test_the_word_block_has_the_pairs_of_words_of_each_text(pairs):
    instances = [instance(number, *pair) for number, pair in enumerate(pairs)]
    support = build_support(instances, [f"w{n}" for n in range(WORDS)], None, 1, 1)
    cells = sorted({(d, s) for document, summary in pairs for d in document for s in summary})
    entries = {cell: entry for entry, cell in enumerate(cells)}
    rows = np.repeat(np.arange(WORDS), np.diff(support.table.word_rows))
    assert list(zip(rows.tolist(), support.table.partners.tolist(), strict=True)) == cells
    for (document, summary), occurrences in zip(pairs, support.occurrences, strict=True):
        expected = [[entries[d, s] for d in sorted(set(document))] for s in sorted(set(summary))]
        assert occurrences.cells.tolist() == expected
