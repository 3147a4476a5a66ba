"""The pairs of words that occur in a document and its summary, compiled."""

import numpy as np

from vorlage.semihmm.kernels.compile import exact_kernel
from vorlage.types import Ints, LongInts


@exact_kernel
def find_cooccurring(
    begin: LongInts, order: LongInts, texts: Ints, summaries: Ints, summary_at: LongInts, cells_at: LongInts
) -> tuple[LongInts, Ints, Ints]:
    """Return the entries of the word block of a phrase table, and where they occur.

    The document words of all texts, numbered below V, are listed text by text, each word of a text once:
    `texts` has the text of each place of the list, and `order` the places of word w at ``begin[w] :
    begin[w+1]`. The summary of text i has the distinct words `summaries[summary_at[i] : summary_at[i+1]]``,
    numbered so that few numbers are unused: a row is sorted by looking at all of them.

    Return `word_rows` (V+1) and `partners` (W), see `vorlage.semihmm.kernels.phrase_table`; and the
    entries of the pairs of words of each text, summary words × document words, at `cells_at[i] :
    cells_at[i+1]`.
    """
    size = summaries.max() + 1
    word_rows = np.zeros(begin.shape[0], dtype=np.int64)
    last_met = np.full(size, -1, dtype=np.int32)  # the last document word that met each summary word
    for word in range(begin.shape[0] - 1):
        count = 0
        for place in order[begin[word] : begin[word + 1]]:
            for s in summaries[summary_at[texts[place]] : summary_at[texts[place] + 1]]:
                if last_met[s] != word:
                    last_met[s] = word
                    count += 1
        word_rows[word + 1] = word_rows[word] + count

    partners = np.empty(word_rows[-1], dtype=np.int32)
    cells = np.empty(cells_at[-1], dtype=np.int32)
    first_of_text = np.searchsorted(texts, np.arange(summary_at.shape[0]))
    met = np.zeros(size, dtype=np.bool_)
    entries = np.empty(size, dtype=np.int32)
    for word in range(begin.shape[0] - 1):
        for place in order[begin[word] : begin[word + 1]]:
            for s in summaries[summary_at[texts[place]] : summary_at[texts[place] + 1]]:
                met[s] = True
        entry = word_rows[word]
        if entry == word_rows[word + 1]:
            continue
        for s in range(size):
            if met[s]:
                partners[entry], entries[s], met[s] = s, entry, False
                entry += 1
        for place in order[begin[word] : begin[word + 1]]:
            text = texts[place]
            cell = cells_at[text] + place - first_of_text[text]
            for s in summaries[summary_at[text] : summary_at[text + 1]]:
                cells[cell] = entries[s]
                cell += first_of_text[text + 1] - first_of_text[text]
    return word_rows, partners, cells
