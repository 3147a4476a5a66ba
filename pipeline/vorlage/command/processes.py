"""Work by several processes, with the results in order."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from vorlage.command.errors import InputError
from vorlage.command.parallel import Item, Result, results_in_order

# With fewer pairs than this, starting processes takes longer than the work itself.
MIN_PAIRS = 1000
# A process receives this many pairs at once, or fewer if they are long.
BATCH_PAIRS, BATCH_CHARACTERS = 16, 100_000

_opener: Callable[[], Callable[[Any], Any]] | None = None
_work: Callable[[Any], Any] | None = None


def map_in_processes(
    opener: Callable[[], Callable[[Item], Result]], items: Iterable[Item], processes: int
) -> Generator[Result, None, None]:
    """Yield `work(item)` in the order of `items`, computed by several processes.

    `opener()` returns `work`; each process calls it once, before its first item. The opener, the items
    and the results must be picklable. Their classes and functions must not be defined in a `__main__.py`,
    because a process cannot import the one that `python -m` runs. Exceptions of both functions are raised
    here. At most `3 * processes` items are held in memory.

    Processes are spawned, not forked, because the threads of BLAS and of the progress bar may hold locks. So
    each of them imports the code and holds its own copy of what `opener` loads. All of them end with this
    process.
    """
    # The processes already occupy all cores; threads of BLAS in each of them would only compete.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    context = multiprocessing.get_context("spawn")
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(processes, context, _start, (opener,))
    try:
        yield from results_in_order(lambda item: pool.submit(_do, item), items, 3 * processes)
    except BrokenProcessPool:
        raise InputError(
            f"the system ended one of {processes} processes, perhaps for lack of memory; lower --threads"
        ) from None
    except BaseException:
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def batches(items: Iterable[Item], characters: Callable[[Item], int]) -> Iterator[list[Item]]:
    """Yield the items in lists of limited size, see `BATCH_PAIRS`; `characters(item)` is its length."""
    batch: list[Item] = []
    size = 0
    for item in items:
        batch.append(item)
        size += characters(item)
        if len(batch) == BATCH_PAIRS or size >= BATCH_CHARACTERS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _start(opener: Callable[[], Callable[[Any], Any]]) -> None:
    """Prepare a new process."""
    global _opener
    _opener = opener
    # Ctrl-C reaches every process of the terminal; the parent ends its children.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
    os._exit(1)


def _do(item: Any) -> Any:
    # `_opener` is called here and not in `_start`, where its exceptions would be lost.
    global _work
    if _work is None:
        assert _opener is not None
        _work = _opener()
    return _work(item)
