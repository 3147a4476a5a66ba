"""Work by several threads, with the results in order."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def map_in_threads(
    function: Callable[[Item], Result], items: Iterable[Item], threads: int
) -> Iterator[Result]:
    """Yield `function(item)` in the order of `items`, computed by `threads` threads.

    At most `4 * threads` items are held in memory. Threads help where `function` releases Python's lock,
    as the compiled kernels do.
    """
    if threads == 1:
        yield from map(function, items)
        return
    pool = ThreadPoolExecutor(threads)
    try:
        yield from results_in_order(lambda item: pool.submit(function, item), items, 4 * threads)
    finally:
        pool.shutdown(cancel_futures=True)


def results_in_order(
    submit: Callable[[Item], Future[Result]], items: Iterable[Item], most: int
) -> Iterator[Result]:
    """Yield the results of the futures `submit(item)` in order, with at most `most` of them pending."""
    pending: deque[Future[Result]] = deque()
    for item in items:
        pending.append(submit(item))
        if len(pending) > most:
            yield pending.popleft().result()
    while pending:
        yield pending.popleft().result()
