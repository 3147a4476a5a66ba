"""Work by several processes, with the results in order."""

import multiprocessing
import os
import pickle
import signal
import sys
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from itertools import islice
from multiprocessing.connection import Connection
from multiprocessing.reduction import ForkingPickler
from queue import SimpleQueue
from typing import Any, TypeVar

from vorlage.command.errors import InputError

Item = TypeVar("Item")
Result = TypeVar("Result")


def mpi_processes() -> int:
    """Return how many processes `mpiexec python -m mpi4py.futures` started for work, 0 without it."""
    if "mpi4py.futures" not in sys.orig_argv:
        return 0
    from mpi4py import MPI

    return MPI.COMM_WORLD.size - 1


def map_in_processes(
    open_work: Callable[[], Callable[[Item], Result]], items: Iterable[Item], processes: int, size: int = 1
) -> Generator[Result, None, None]:
    """Yield `open_work()(item)` for each item, in order, computed by several processes.

    Each process calls `open_work` once, before its first item; a single one is this process. Processes are
    spawned, so each imports the code and holds its own copy of what `open_work` loads, and a script that
    starts them keeps its own work below `if __name__ == "__main__":`. Exceptions are raised here, and a
    process that is killed is an `InputError`. Under MPI they are those that it started, on any node.

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
    if mpi_processes():
        from mpi4py.futures import MPIPoolExecutor

        mpi = MPIPoolExecutor(initializer=_open, initargs=(open_work,))
        try:
            yield from _in_order(lambda batch: mpi.submit(_work, batch), items, processes, size)
        finally:
            mpi.shutdown(cancel_futures=True)
        return
    if getattr(multiprocessing.current_process(), "_inheriting", False):
        sys.exit(1)  # this is a new process that imports its script, which must not start others
    # The processes already occupy all cores; threads of BLAS in each of them would only compete.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    workers, free = list[_Worker](), SimpleQueue[_Worker]()

    def work(batch: list[Item]) -> list[Result]:
        worker = free.get()
        try:
            return worker.work(batch)
        finally:
            free.put(worker)

    def submit(batch: list[Item]) -> Future[list[Result]]:
        if len(workers) < processes:
            workers.append(_Worker(open_work))
            free.put(workers[-1])
        return pool.submit(work, batch)

    pool = ThreadPoolExecutor(processes)  # each thread waits for a process
    try:
        yield from _in_order(submit, items, processes, size)
        for worker in workers:
            worker.end()
    finally:
        for worker in workers:
            worker.process.terminate()
        pool.shutdown(cancel_futures=True)


def _in_order(
    submit: Callable[[list[Item]], Future[list[Result]]], items: Iterable[Item], processes: int, size: int
) -> Generator[Result, None, None]:
    """Yield the results of items that are submitted in batches."""
    pending, rest = deque[Future[list[Result]]](), iter(items)
    while batch := list(islice(rest, size)):
        pending.append(submit(batch))
        if len(pending) > 3 * processes:
            yield from pending.popleft().result()
    while pending:
        yield from pending.popleft().result()


_opened: list[Callable[[Any], Any]] = []  # the work of this process, if MPI started it


def _open(open_work: Callable[[], Callable[[Any], Any]]) -> None:
    _opened[:] = [open_work()]


def _work(batch: list[Any]) -> list[Any]:
    return [work(item) for work in _opened for item in batch]


class _Worker:
    """A process, and the connection to it, which ends with it."""

    def __init__(self, open_work: Callable[[], Callable[[Any], Any]]) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, end = context.Pipe()
        self._open_work, self._begun = open_work, False
        # What is sent at the start must be small: it is not read to its end if the process ends before.
        self.process = context.Process(target=_serve, args=(end,), daemon=True)
        self.process.start()
        end.close()

    def work(self, batch: list[Any]) -> list[Any]:
        """Return the results of items; raise the exception of one, and `InputError` if the process ends."""
        try:
            open_work = None if self._begun else self._open_work
            self._begun = self._begun or self._connection.recv()
            self._connection.send((open_work, batch))
            answer: list[Any] | Exception = self._connection.recv()
        except (EOFError, OSError):
            why = "the system ended a process, perhaps for lack of memory; use fewer processes"
            if not self._begun:
                why = (
                    "a process ended before its work began; it imports the script that started it, so keep "
                    'the script in a file, and what it does below `if __name__ == "__main__":`'
                )
            raise InputError(why) from None
        if isinstance(answer, Exception):
            raise answer
        return answer

    def end(self) -> None:
        """Let the process end by itself: one that is ended keeps what the system has lent it."""
        self._connection.close()
        self.process.join()


def _serve(connection: Connection) -> None:
    """Do the work that is sent, in a new process, until the connection ends, as with the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # of Ctrl-C; the parent ends its children
    work = None
    with suppress(EOFError, ConnectionError):
        connection.send(True)
        while True:
            content = connection.recv_bytes()
            try:
                open_work, batch = pickle.loads(content)
                work = work or open_work()
                answer = ForkingPickler.dumps([work(item) for item in batch])
            except Exception as error:
                error.add_note(traceback.format_exc())
                answer = _pickled(error)
            connection.send_bytes(answer)


def _pickled(error: Exception) -> Any:
    """Return an exception as bytes; one that cannot be sent as another with its message."""
    try:
        return ForkingPickler.dumps(error)
    except Exception:
        return ForkingPickler.dumps(RuntimeError(f"{type(error).__name__}: {error}"))
