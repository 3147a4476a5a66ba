"""Work by several processes, with the results in order."""

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import Any, TypeVar

from vorlage.command.errors import InputError

Item = TypeVar("Item")
Result = TypeVar("Result")

_open_work: Callable[[], Callable[[Any], Any]] | None = None
_work: Callable[[Any], Any] | None = None


def map_in_processes(
    open_work: Callable[[], Callable[[Item], Result]], items: Iterable[Item], processes: int, size: int = 1
) -> Generator[Result, None, None]:
    """Yield `open_work()(item)` for each item, in order, computed by several processes.

    Each process calls `open_work` once, before its first item; a single one is this process. Processes are
    spawned, so each imports the code and holds its own copy of what `open_work` loads, and a script that
    starts them keeps its own work below `if __name__ == "__main__":`. Exceptions are raised here.

    Args:
        open_work: returns the function of an item. It is pickled, as are items and results.
        items: at most `(3 * processes + 1) * size` of them are held in memory.
        processes: their number.
        size: how many items a process takes at once; for short work, sending them takes longer than the work.
    """
    if not isinstance(processes, int) or processes < 1:
        raise InputError(f"processes is {processes!r}; give a whole number of at least 1")
    if processes == 1:
        yield from map(open_work(), items)
        return
    # The processes already occupy all cores; threads of BLAS in each of them would only compete.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    others = set(multiprocessing.active_children())
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(processes, context, _start, (open_work,))
    pending: deque[Future[list[Result]]] = deque()
    rest = iter(items)
    try:
        while batch := list(islice(rest, size)):
            pending.append(pool.submit(_do, batch))
            if len(pending) > 3 * processes:
                yield from pending.popleft().result()
        while pending:
            yield from pending.popleft().result()
    except BrokenProcessPool:
        raise InputError(
            f"the system ended one of {processes} processes, perhaps for lack of memory; use fewer of them"
        ) from None
    except BaseException:
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _start(open_work: Callable[[], Callable[[Any], Any]]) -> None:
    """Prepare a new process."""
    global _open_work
    _open_work = open_work
    # Ctrl-C reaches every process of the terminal; the parent ends its children.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
    os._exit(1)


def _do(batch: list[Any]) -> list[Any]:
    # `_open_work` is called here and not in `_start`, where its exceptions would be lost.
    global _work
    if _work is None:
        assert _open_work is not None
        _work = _open_work()
    return [_work(item) for item in batch]
