"""Work on many pairs, which are aligned in blocks.

A *task* does the work on one item. It is a generator: it yields the pair that it needs aligned, is sent the
alignment, and returns its result. The pairs of some tasks are aligned at once, which takes less time. What is
found of a pair does not depend on the others.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice, repeat
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

from vorlage.api.aligned import AlignedPair
from vorlage.command.errors import InputError
from vorlage.command.processes import map_in_processes
from vorlage.documents.pair import Pair
from vorlage.settings import Decoding

if TYPE_CHECKING:
    from vorlage.api.trained_model import TrainedModel

Item = TypeVar("Item")
Result = TypeVar("Result")

BLOCK = 32  # pairs that are aligned at once
WORD_PAIRS = 400_000  # that are aligned at once, unless one pair has more


class Request(NamedTuple):
    """What a task needs aligned; the arguments are those of `TrainedModel.align_pair`."""

    model: "TrainedModel"
    pair: Pair
    sentences: Sequence[int] | None = None
    decoding: Decoding | None = None

    def kind(self) -> Any:
        """Return what pairs of a block have in common."""
        return id(self.model), self.pair.language, bool(self.decoding)


Task: TypeAlias = Generator[Request, AlignedPair, Result]


def run(task: Task[Result]) -> Result:
    """Return the result of a task."""
    [result] = run_all([task])
    return result


def run_all(tasks: Iterable[Task[Result]]) -> Iterator[Result]:
    """Yield the results of tasks in order; an exception of one is raised after the results before it."""
    begun: list[tuple[Any, Request | None]] = []  # a task, its result or its exception; what it needs
    word_pairs = 0
    for task in tasks:
        try:
            begun.append((task, next(task)))
        except StopIteration as stop:
            begun.append((stop, None))
        except InputError as error:
            begun.append((error, None))
        request = begun[-1][1]
        word_pairs += len(request.pair.document.tokens) * len(request.pair.summary.tokens) if request else 0
        if word_pairs > WORD_PAIRS:
            yield from _finish(begun)
            begun, word_pairs = [], 0
    yield from _finish(begun)


def _finish(begun: Sequence[tuple[Any, Request | None]]) -> Iterator[Any]:
    """Yield the results of tasks that have begun."""
    kinds: dict[Any, list[Request]] = {}
    for _, request in begun:
        if request:
            kinds.setdefault(request.kind(), []).append(request)
    aligned = {kind: iter(_align(requests)) for kind, requests in kinds.items()}
    for task, request in begun:
        found: Any = next(aligned[request.kind()]) if request else task
        if isinstance(found, InputError):
            raise found
        try:
            if request:
                task.send(found)
        except StopIteration as stop:
            found = stop
        yield found.value


def _align(requests: Sequence[Request]) -> list[AlignedPair | InputError]:
    """Return the alignments of pairs of one kind, or why a pair has none."""
    try:
        return [*requests[0].model.align_block(requests)]
    except InputError as error:
        if len(requests) == 1:
            return [error]
        return [found for request in requests for found in _align([request])]


def run_in_processes(
    make_task: Callable[["TrainedModel", Item], Task[Result]],
    model: "TrainedModel",
    items: Iterable[Item],
    processes: int,
) -> Iterator[Result]:
    """Yield the results of tasks on items, in order, computed by some processes.

    Items are taken as they are needed: first one, then more and more at once.
    """
    if processes == 1:
        for batch in _batches(items, 1):
            yield from run_all(make_task(model, item) for item in batch)
        return
    opener = partial(partial, _run_batch, make_task, model)
    for results, error in map_in_processes(opener, _batches(items, processes), processes):
        yield from results
        if error:
            raise error


def _run_batch(
    make_task: Callable[["TrainedModel", Item], Task[Result]], model: "TrainedModel", batch: list[Item]
) -> tuple[list[Result], InputError | None]:
    """Return the results of the tasks on some items, and the first exception."""
    results: list[Result] = []
    try:
        for result in run_all(make_task(model, item) for item in batch):
            results.append(result)
    except InputError as error:
        return results, error
    return results, None


def _batches(items: Iterable[Item], times: int) -> Iterator[list[Item]]:
    """Yield items in lists of one, two, four and so on up to `BLOCK`, each `times` times."""
    rest = iter(items)
    sizes = chain.from_iterable(repeat(2**power, times) for power in range(BLOCK.bit_length() - 1))
    for size in chain(sizes, repeat(BLOCK)):
        batch: list[Item] = []
        try:
            batch.extend(islice(rest, size))
        except InputError:  # of an item, after others
            yield batch
            raise
        if not batch:
            return
        yield batch
