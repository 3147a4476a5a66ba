"""Aligns many pairs, in batches whose pairs are aligned at once, which takes less time.

What is found of a pair does not depend on the others. An `InputError` of a pair is raised after the results
of those before it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice, repeat
from typing import NamedTuple, TypeVar

from vorlage.alignments.alignment import Columns
from vorlage.api.aligned import AlignedPair
from vorlage.command.errors import InputError
from vorlage.command.processes import map_in_processes
from vorlage.documents.pair import Pair
from vorlage.documents.records import pair_label
from vorlage.encoder.installed import MULTILINGUAL, how_to_get
from vorlage.extract.long_pairs import choose_sentences
from vorlage.semihmm.decode.aligner import Aligner
from vorlage.settings import Decoding, validate

Item = TypeVar("Item")
Result = TypeVar("Result")

LARGEST_BATCH = 32  # pairs
WORD_PAIRS = 400_000  # that are aligned at once, unless one pair has more


class AlignmentRequest(NamedTuple):
    """A pair, the document sentences that it is aligned to, and how."""

    aligner: Aligner
    pair: Pair
    sentences: Sequence[int]
    decoding: Decoding


def make_request(
    aligner: Aligner, pair: Pair, sentences: Sequence[int] | None = None, decoding: Decoding | None = None
) -> AlignmentRequest:
    """Return a pair as it is aligned; the arguments are those of `AlignmentModel.align_pair`.

    Raises:
        InputError: for a pair in a language other than that of the model, and for one that is too long.
    """
    model = aligner.model
    if pair.language != model.language and not model.many_languages:
        languages = " and ".join(sorted({pair.summary.language, pair.document.language}))
        raise InputError(
            f"{pair_label(pair.id)}: its language is {languages}, that of the model "
            f"{model.language or 'two others'}; use a model of its language, or the one for many "
            f"({how_to_get(MULTILINGUAL)} installs it)"
        )
    chosen = choose_sentences(pair) if sentences is None else sentences
    return AlignmentRequest(aligner, pair, chosen, decoding or validate(Decoding, {}, model.settings.encoder))


def align_all(requests: Iterable[AlignmentRequest]) -> Iterator[AlignedPair]:
    """Yield the alignments of pairs, in order."""
    pairs, error = until_error(requests)
    first, word_pairs = 0, 0
    for end, (_, pair, *_) in enumerate(pairs, 1):
        word_pairs += len(pair.document.tokens) * len(pair.summary.tokens)
        if word_pairs > WORD_PAIRS or end == len(pairs):
            yield from _align_batch(pairs[first:end])
            first, word_pairs = end, 0
    if error:
        raise error


def _align_batch(requests: Sequence[AlignmentRequest]) -> Iterator[AlignedPair]:
    """Yield the alignments of pairs, all at once or, after an error, each alone."""
    try:
        aligned = _align_groups(requests)
    except InputError:
        if len(requests) == 1:
            raise
        aligned = chain.from_iterable(_align_batch([pair]) for pair in requests)
    yield from aligned


def _align_groups(requests: Sequence[AlignmentRequest]) -> Iterable[AlignedPair]:
    """Return the alignments of pairs; those by one model in one language are aligned at once."""
    groups: dict[tuple[int, str, Decoding], list[int]] = {}
    for number, (aligner, pair, _, decoding) in enumerate(requests):
        groups.setdefault((id(aligner), pair.language, decoding), []).append(number)
    aligned: dict[int, AlignedPair] = {}
    for numbers in groups.values():
        aligned |= zip(numbers, _align_group([requests[number] for number in numbers]), strict=True)
    return [aligned[number] for number in range(len(requests))]


def _align_group(requests: Sequence[AlignmentRequest]) -> list[AlignedPair]:
    """Return the alignments of pairs of the same languages by one model with the same settings."""
    aligner, _, _, decoding = requests[0]
    pair_inputs = aligner.prepare([(pair, sentences) for _, pair, sentences, _ in requests])
    aligned = []
    for (_, pair, *_), arrays, (log_likelihood, posteriors) in zip(
        requests, pair_inputs, aligner.posteriors(pair_inputs, decoding), strict=True
    ):
        alignment = aligner.decode(pair, arrays, log_likelihood, posteriors, decoding)
        contexts = arrays.pair.contexts
        cosines = None if contexts is None else Columns(contexts, arrays.positions)
        sources = Columns(posteriors.sources, arrays.positions)
        aligned.append(AlignedPair(pair, alignment, sources, posteriors.nulls, cosines))
    return aligned


def map_batches(
    answer: Callable[[list[Item]], Iterable[Result]], items: Iterable[Item], processes: int
) -> Iterator[Result]:
    """Yield what `answer` returns of batches of items, in order, computed by some processes.

    Items are taken as they are needed: first one, then more and more at once.
    """
    if processes == 1:
        yield from chain.from_iterable(map(answer, _batches(items, 1)))
        return
    opener = partial(partial, _answer_batch, answer)
    for results, error in map_in_processes(opener, _batches(items, processes), processes):
        yield from results
        if error:
            raise error


def _answer_batch(
    answer: Callable[[list[Item]], Iterable[Result]], batch: list[Item]
) -> tuple[list[Result], InputError | None]:
    return until_error(answer(batch))


def _batches(items: Iterable[Item], times: int) -> Iterator[list[Item]]:
    """Yield items in lists of one, two, four and so on up to `LARGEST_BATCH`, each `times` times."""
    rest = iter(items)
    sizes = chain.from_iterable(repeat(2**power, times) for power in range(LARGEST_BATCH.bit_length() - 1))
    for size in chain(sizes, repeat(LARGEST_BATCH)):
        batch, error = until_error(islice(rest, size))
        if batch:
            yield batch
        if error:
            raise error
        if not batch:
            return


def until_error(items: Iterable[Item]) -> tuple[list[Item], InputError | None]:
    """Return items up to the first `InputError` that is raised while they are taken, and this error."""
    taken: list[Item] = []
    try:
        for item in items:
            taken.append(item)
    except InputError as error:
        return taken, error
    return taken, None
