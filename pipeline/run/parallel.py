"""Work on several threads with results in order."""

from collections import deque
from concurrent.futures import ThreadPoolExecutor


def in_order(function, items, threads):
    """Yield ``function(item)`` in the order of ``items``, up to ``threads`` at once, few held in memory.

    Worth it where ``function`` spends its time outside Python's lock, as the kernels do.
    """
    if threads == 1:
        yield from map(function, items)
        return
    pool = ThreadPoolExecutor(threads)
    try:
        yield from windowed(lambda item: pool.submit(function, item), items, 4 * threads)
    finally:
        pool.shutdown(cancel_futures=True)


def windowed(submit, items, most):
    """Yield the results of ``submit(item)``, which are futures, in order; ``most`` are under way at once."""
    waiting = deque()
    for item in items:
        waiting.append(submit(item))
        if len(waiting) > most:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()
