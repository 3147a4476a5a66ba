"""Work on several processes with results in order."""

import multiprocessing
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from pipeline.run.errors import InputError
from pipeline.run.parallel import windowed

# Fewer pairs are done sooner than processes have started.
MANY = 1000
# A process is sent so many pairs at once, or fewer long ones.
BATCH_PAIRS, BATCH_CHARACTERS = 16, 100_000

_opener = _work = None


def in_processes(opener, items, processes):
    """Yield ``work(item)`` in the order of ``items``, by several processes, few items held in memory.

    ``opener()`` is called once in each process, before its first item, and returns ``work``. It, the items
    and the results must pickle. What either raises is raised here.

    Processes are spawned, not forked: the threads of BLAS and of the progress bar may hold locks. So each
    imports the code and has a copy of whatever ``opener`` loads. None outlives this process.
    """
    # The processes are the parallel part; threads of BLAS in each would only crowd them.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    context = multiprocessing.get_context("spawn")
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(processes, context, _start, (opener,))
    try:
        yield from windowed(lambda item: pool.submit(_do, item), items, 3 * processes)
    except BrokenProcessPool:
        raise InputError(
            f"one of {processes} processes was ended by the system, for want of memory perhaps; give fewer "
            "(--threads)"
        ) from None
    except BaseException:
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def batches(items, characters):
    """Yield items in lists, see ``BATCH_PAIRS``; ``characters(item)``: how many an item has."""
    batch, size = [], 0
    for item in items:
        batch.append(item)
        size += characters(item)
        if len(batch) == BATCH_PAIRS or size >= BATCH_CHARACTERS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _start(opener):
    global _opener
    _opener = opener
    # Ctrl-C reaches every process of the terminal; the first one ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent():
    multiprocessing.parent_process().join()
    os._exit(1)


def _do(item):
    # Opened here and not in _start, where an error would be lost.
    global _work
    if _work is None:
        _work = _opener()
    return _work(item)
