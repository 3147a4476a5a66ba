"""The E-step of EM: what the pairs of a block are expected to use."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from vorlage.compiled import exact_kernel
from vorlage.semihmm import mixture
from vorlage.semihmm.kernels.forward_backward import TOGETHER
from vorlage.semihmm.mixture import ENCODER, STEMS, Parameters
from vorlage.semihmm.null import null_state
from vorlage.semihmm.rewrite import NOTHING, Factors, Rewrites, check_expected, entry_uses, expand
from vorlage.semihmm.table import IDENTICAL, SAME_STEM, PhraseTable
from vorlage.semihmm.train.blocks import Block
from vorlage.settings import Training
from vorlage.types import AnyArray, Bytes, Floats, Ints


@dataclass
class Expectations:
    """Sums over pairs, in the numbers of a block or of the index.

    - `counts` (E): expected uses of the lexical part, by entry;
    - `stems`: of the table over stems, by its entries, empty without it;
    - `nulls`: of each word (V) or phrase (V+P) in the null state;
    - `related` (V+P): of the WordNet part, by row;
    - `jumps`: as the jump model counts them;
    - `parts`: uses of each of the `vorlage.semihmm.mixture.PARTS`;
    - `distance`: the total WordNet distance of the uses of the WordNet part;
    - `log_likelihood`: Σ log Pr(s|d), natural.
    """

    counts: Floats
    stems: Floats
    nulls: Floats
    related: Floats
    jumps: Any
    parts: Floats | float = 0.0
    distance: float = 0.0
    log_likelihood: float = 0.0


def expectation(block: Block, parameters: Parameters, norms: Floats, settings: Training) -> Expectations:
    """Return the expectations of the pairs of a block, summed in order, in its numbers.

    `parameters`: in the numbers of the index; `norms`: of its rows, see `CorpusIndex.norms`.

    Raises:
        InputError: for a pair whose numbers float64 cannot hold.
    """
    pairs, in_index = block.pairs.get(), block.numbers.get()
    null, jumps = null_state(settings), parameters.jumps.zeros()
    rewrites = Rewrites(pairs, in_index, parameters, norms[in_index.rows], settings)
    counts, nulls, stems = np.zeros(len(rewrites.values)), np.zeros(len(rewrites.null)), np.empty(0)
    log_likelihoods, by_encoder = np.zeros(len(pairs.ids)), np.zeros(len(pairs.ids))
    # Documents of like length are taken together.
    order = np.argsort(-np.diff(pairs.document.words.bounds), kind="stable").tolist()
    for first in range(0, len(order), TOGETHER):
        numbers = order[first : first + TOGETHER]
        together = list(rewrites.inputs(numbers))
        inputs = [pair_inputs._replace(word_rewrites=words.matrix()) for _, pair_inputs, words in together]
        found = null.expect(inputs, settings.beam)
        for i, (pair, pair_inputs, words), expected in zip(numbers, together, found, strict=True):
            uses = expected.word_uses
            check_expected(pair.id, pair_inputs, float(uses.sum()), expected)
            log_likelihoods[i] = expected.log_likelihood
            if words.encoder is not None:
                of_types = expand(words.by_type(), (NOTHING, pair.summary.sentences, pair.document.sentences))
                of_encoder = uses * (words.encoder.weighted() / of_types)
                uses, by_encoder[i] = uses - of_encoder, of_encoder.sum()
            _add_uses(uses, pair.summary.type_of, pair.document.type_of, pair.cells, counts)
            add_at(counts, pair.entries, expected.phrase_posteriors)
            add_at(nulls, pair.summary.words, expected.null_posteriors)
            if null.emits_phrases:
                add_at(nulls, pairs.table.partners[pair.entries], expected.null_phrases)
            if len(expected.transition_counts):
                parameters.jumps.add(jumps, pair, pair_inputs.transitions, expected)
    by_part: dict[mixture.Part, float] = {ENCODER: by_encoder.sum()}
    if in_index.stems is not None:
        stems = np.zeros(len(in_index.stems.entries))
    for part, values in rewrites.of_entries.items():
        of_entries = np.divide(counts, rewrites.values, out=np.zeros_like(counts), where=counts > 0)
        of_entries *= values
        by_part[part] = of_entries.sum()
        if part is STEMS and in_index.stems is not None:
            add_at(stems, in_index.stems.groups, of_entries)
    table = pairs.table, pairs.distance, rewrites.factors, rewrites.counts
    of_rows, related, distance = split(*table, rewrites.values, counts)
    by_part |= dict(zip(mixture.PARTS, of_rows, strict=False))
    return Expectations(
        counts=counts,
        stems=stems,
        nulls=nulls,
        related=related,
        jumps=jumps,
        parts=np.array([by_part.get(part, 0.0) for part in mixture.PARTS]),
        distance=distance,
        log_likelihood=float(log_likelihoods.sum()),
    )


@exact_kernel
def _add_uses(words: Floats, rows: Ints, columns: Ints, cells: Ints, counts: Floats) -> None:
    """Add the uses of pairs of words (T, n) to the counts of their entries (E), in place and in order.

    `rows` (T), `columns` (n): the distinct word of each word; `cells` (V, U): the entries of distinct words.
    """
    sums = np.zeros(cells.shape[::-1])
    for t in range(rows.shape[0]):
        word, of_type = words[t], sums[rows[t]]
        for j in range(columns.shape[0]):
            of_type[columns[j]] += word[j]
    for v in range(cells.shape[0]):
        for u in range(cells.shape[1]):
            counts[cells[v, u]] += sums[u, v]


@exact_kernel
def split(
    table: PhraseTable, distance: Bytes, factors: Factors, counts: Floats, values: Floats, expected: Floats
) -> tuple[Floats, Floats, float]:
    """Split the expected uses of every entry among the four parts of the table, by their responsibilities.

    The first arguments are those of `rewrite_values`; `values` (E): r of each entry; `expected` (E): expected
    uses, overwritten with those of the lexical part. Returned are the uses of the identity, stem, WordNet and
    lexical parts (4), those of the WordNet part by row (R), and the total WordNet distance of these.
    """
    used, by_row, path = np.zeros(4), np.zeros(factors.stem.shape[0]), 0.0
    words = factors.spread.shape[0]
    for row in range(by_row.shape[0]):
        stem, related, lexical = factors.stem[row], factors.related[row], factors.lexical[row]
        row_path = 0.0
        row_used = np.zeros(4)
        for e in range(table.rows[row], table.rows[row + 1]):
            if expected[e] == 0.0:
                continue
            kind, share = table.kind[e], expected[e] / values[e]
            if kind == IDENTICAL:
                row_used[0] += share * factors.identical
            if kind >= SAME_STEM:
                row_used[1] += share * stem
            wordnet = share * related * factors.decay[distance[e]]
            row_used[2] += wordnet
            row_path += wordnet * distance[e]
            longer = int(row >= words or table.partners[e] >= words)
            expected[e] = share * lexical * entry_uses(table, factors, counts, longer, e)
            row_used[3] += expected[e]
        used += row_used
        path += row_path
        by_row[row] = row_used[2]
    return used, by_row, path


@exact_kernel
def add_at(out: Floats, places: AnyArray, values: Floats) -> None:
    """Add out[places[i]] += values[i] in order; a place may occur several times."""
    for i in range(places.shape[0]):
        out[places[i]] += values[i]
