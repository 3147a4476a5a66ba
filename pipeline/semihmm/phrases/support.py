"""The phrase pairs that the rewrite model can use: its support, indexed for the pairs of a corpus.

See :mod:`pipeline.semihmm.phrases.table` for the table that they make.
"""

from collections import Counter

import numpy as np
from scipy import sparse

from pipeline.semihmm.kernels.hypernyms import FAR
from pipeline.semihmm.kernels.search import find_entries
from pipeline.semihmm.phrases.instances import Vocabulary, ngrams
from pipeline.semihmm.phrases.table import IDENTICAL, SAME_STEM, UNLIKE, Support
from pipeline.text.words import stem


class StemClasses:
    """How many words of a known vocabulary share each stem."""

    def __init__(self, words):
        self._known = frozenset(words)
        self._sizes = Counter(stem(word) for word in words)

    def chance(self, words):
        """1 / |{w : stem(w) = stem(word)}| for each word, float64; an unknown word counts itself too."""
        return np.array([1.0 / (self._sizes[stem(word)] + (word not in self._known)) for word in words])


def stem_numbers(words):
    """A number for each word, int32, equal for words of equal stems."""
    stems = Vocabulary()
    return np.array([stems.number(stem(word)) for word in words], dtype=np.int32)


def build_support(instances, words, senses, longest_document, longest_summary):
    """Find the support of ``instances``, whose words are numbered as the list ``words``.

    ``senses``: a :class:`pipeline.semihmm.phrases.wordnet_distance.Senses`, or None to do without WordNet. ``longest_…``: the
    longest phrases, in words.
    """
    stems = stem_numbers(words)
    phrases = Phrases(words, stems, senses)
    word_rows, summary, held = _cooccurring(instances, len(words))
    found = [phrases.find(instance, longest_document, longest_summary) for instance in instances]
    longer, reading = phrases.sort(found)
    phrase_pairs, entries = _number_pairs(found, len(reading))
    rows = np.repeat(np.arange(len(words), dtype=np.int32), np.diff(word_rows))
    kinds = _same(stems, rows, summary), phrases.kinds(phrase_pairs)
    distances = (
        _distances(senses, reading, rows, summary),
        _distances(senses, reading, phrase_pairs[:, 0], phrase_pairs[:, 1]),
    )
    return Support(
        word_rows,
        np.searchsorted(phrase_pairs[:, 0], np.arange(len(reading) + 1)).astype(np.int64),
        summary,
        longer,
        phrase_pairs,
        np.concatenate(kinds),
        np.concatenate(distances),
        reading,
        held,
        [find_entries(i.document_types[0], i.summary_types[0], word_rows, summary) for i in instances],
        [place[:, :4].copy() for place in found],
        [np.argsort(place[:, 0] + place[:, 1], kind="stable").astype(np.int32) for place in found],
        [(len(summary) + entry).astype(np.int32) for entry in entries],
    )


def _cooccurring(instances, size):
    """``(word_rows, summary, held)`` of the word block, by a sparse product of incidence matrices."""

    if len(instances) == 1:
        document, summary = instances[0].document_types[0], instances[0].summary_types[0]
        held = np.zeros(size + 1, dtype=np.int64)
        held[document + 1] = len(summary)
        pairs = np.tile(summary, len(document))
        return np.cumsum(held), pairs, np.ones(len(pairs), dtype=np.int32)

    def incidence(types):
        rows = np.repeat(np.arange(len(types)), [len(t) for t in types])
        columns = np.concatenate(types)
        ones = np.ones(len(columns), dtype=np.int32)
        return sparse.csr_array((ones, (rows, columns)), shape=(len(types), size))

    documents = incidence([i.document_types[0] for i in instances])
    summaries = incidence([i.summary_types[0] for i in instances])
    together = (documents.T @ summaries).tocsr()
    together.sort_indices()
    return together.indptr.astype(np.int64), together.indices.astype(np.int32), together.data


def _distinct(places):
    """The distinct rows of an int32 array of non-negative numbers, sorted."""
    if len(places) == 0:
        return places
    places = places[np.lexsort(places.T[::-1])]
    return places[np.append(True, (places[1:] != places[:-1]).any(axis=1))]


def _number_pairs(found, phrases):
    """The distinct phrase pairs of all places, sorted, and the number of each place's pair among them."""
    keys = [place[:, 4].astype(np.int64) * phrases + place[:, 5] for place in found]
    distinct, numbers = np.unique(np.concatenate(keys), return_inverse=True)
    pairs = np.stack(np.divmod(distinct, phrases), axis=1).astype(np.int32)
    return pairs, np.split(numbers, np.cumsum([len(key) for key in keys])[:-1])


def _same(stems, documents, summaries):
    return (stems[documents] == stems[summaries]).astype(np.uint8) + (documents == summaries)


def _distances(senses, reading, documents, summaries):
    if senses is None:
        return np.full(len(documents), FAR, dtype=np.uint8)
    return senses.distances(reading[documents], reading[summaries])


class Phrases:
    """Numbers for phrases (a word's own number, then longer ones as they are met) and where they pair up."""

    def __init__(self, words, stems, senses):
        self.longer = []
        self._words = words
        self._stems = stems
        self._senses = senses
        self._numbers = {}
        self._readings = [-1 if senses is None else senses.reading((word,)) for word in words]
        self._begins = senses and [senses.begins(word) for word in words]

    def sort(self, found):
        """Number the longer phrases anew, in their order, in the places ``found`` too (in place).

        Returns them, and the WordNet reading of every phrase, −1 for none, int32.
        """
        first = len(self._words)
        order = sorted(range(len(self.longer)), key=self.longer.__getitem__)
        self.longer = [self.longer[old] for old in order]
        numbers = np.arange(first + len(order), dtype=np.int32)
        numbers[first + np.array(order, dtype=np.int64)] = np.arange(first, first + len(order))
        for places in found:
            places[:, 4:] = numbers[places[:, 4:]]
        readings = np.array(self._readings, dtype=np.int32)
        return self.longer, np.concatenate([readings[:first], readings[first:][order]])

    def kinds(self, pairs):
        """The kind of every phrase pair (document, summary), uint8."""
        longer, first = self.longer, len(self._words)
        stem_of = self._stems.tolist()
        stems = [[stem_of[word] for word in phrase] for phrase in longer]
        out = np.zeros(len(pairs), dtype=np.uint8)
        for e, (d, s) in enumerate(pairs.tolist()):
            if d >= first and s >= first and len(longer[d - first]) == len(longer[s - first]):
                same = stems[d - first] == stems[s - first]
                out[e] = IDENTICAL if d == s else SAME_STEM if same else UNLIKE
        return out

    def find(self, instance, longest_document, longest_summary):
        """The longer phrase pairs of an instance: int32 (m, 6) of t, k, j, l, document and summary phrase.

        Sorted; a pair is found when it is equal up to stem or a finite WordNet distance apart.
        """
        document = instance.document, instance.document_breaks, longest_document
        summary = instance.summary, instance.summary_breaks, longest_summary
        places = np.array(self._same_stems(document, summary), dtype=np.int32).reshape(-1, 6)
        if self._senses is not None:
            places = np.concatenate([places, self._related(document, summary)])
        return _distinct(places)

    def _number(self, phrase):
        if len(phrase) == 1:
            return phrase[0]
        if phrase not in self._numbers:
            self._numbers[phrase] = len(self._words) + len(self.longer)
            self.longer.append(phrase)
            self._readings.append(self._reading(phrase))
        return self._numbers[phrase]

    def _reading(self, phrase):
        if self._senses is None:
            return -1
        return self._senses.reading(tuple(self._words[w] for w in phrase))

    def _same_stems(self, document, summary):
        numbers, breaks, longest = summary
        by_stem = {}
        phrases = ngrams(numbers, breaks, longest, shortest=2)
        alike = ngrams(self._stems[numbers], breaks, longest, shortest=2)
        for (t, phrase), (_, stems) in zip(phrases, alike, strict=True):
            by_stem.setdefault(stems, []).append((t, phrase))
        beginnings = {stems[:2] for stems in by_stem}
        rows = []
        numbers, breaks, longest = document
        for first, last in breaks:
            words = tuple(numbers[first:last].tolist())
            stems = tuple(self._stems[numbers[first:last]].tolist())
            for i, pair in enumerate(zip(stems, stems[1:], strict=False)):
                if pair not in beginnings:
                    continue
                for end in range(i + 2, min(i + longest, len(words)) + 1):
                    for t, s in by_stem.get(stems[i:end], ()):
                        d = words[i:end]
                        rows.append((t, len(s), first + i, len(d), self._number(d), self._number(s)))
        return rows

    def _in_wordnet(self, numbers, breaks, longest):
        """Where phrases of WordNet stand: int32 (m, 4) of start, length, phrase, reading."""
        rows = []
        for first, last in breaks:
            sentence = numbers[first:last].tolist()
            words = [self._words[word] for word in sentence]
            for i, word in enumerate(sentence):
                if self._readings[word] >= 0:
                    rows.append((first + i, 1, word, self._readings[word]))
                if self._begins[word]:
                    for size, reading in self._senses.beginning(words[i : i + longest]):
                        phrase = tuple(sentence[i : i + size])
                        rows.append((first + i, size, self._number(phrase), reading))
        return np.array(rows, dtype=np.int32).reshape(-1, 4)

    def _related(self, document, summary):
        document, summary = self._in_wordnet(*document), self._in_wordnet(*summary)
        d, s = np.nonzero((document[:, 1, None] > 1) | (summary[None, :, 1] > 1))
        near = self._senses.distances(document[d, 3], summary[s, 3]) < FAR
        d, s = document[d[near]], summary[s[near]]
        return np.stack([s[:, 0], s[:, 1], d[:, 0], d[:, 1], d[:, 2], s[:, 2]], axis=1)
