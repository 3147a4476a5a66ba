"""Work by several processes: order, memory, errors."""

import os
import subprocess
import sys
from functools import partial
from multiprocessing.connection import Connection

import pytest
from vorlage.command.errors import InputError
from vorlage.command.processes import map_in_processes


def doubler(refuse):
    """Return the work of each process of the next test; a process imports it from here."""

    def double(number):
        if number == refuse:
            raise InputError(f"not {number}")
        return 2 * number

    return double


@pytest.mark.parametrize("size", [1, 3])
def test_in_processes_keeps_order_and_little_memory_and_raises(size):
    taken = []

    def numbers(count):
        for number in range(count):
            taken.append(number)
            yield number

    results = map_in_processes(partial(doubler, None), numbers(100), 2, size)
    assert [next(results) for _ in range(3)] == [0, 2, 4]
    assert len(taken) <= 10 * size
    assert list(results) == [2 * number for number in range(3, 100)]
    with pytest.raises(InputError, match="not 5"):
        list(map_in_processes(partial(doubler, 5), numbers(10**9), 2, size))


def test_one_process_is_this_one():
    assert list(map_in_processes(lambda: str, range(3), 1)) == ["0", "1", "2"]


def ender(how):
    """Return work that ends its process at the third item, as the system does when memory runs out."""

    def work(number):
        if number != 2:
            return b"x" * number
        if how == "while it works":
            os._exit(1)
        Connection._send = lambda connection, sent: os._exit(os.write(connection.fileno(), sent[:5]))
        return b"an answer of which five bytes arrive"

    return work


@pytest.mark.parametrize("how", ["while it works", "while it answers"])
def test_a_process_that_is_killed_ends_the_work_in_one_line(how):
    found = map_in_processes(partial(ender, how), range(10**9), 2)
    assert [next(found), next(found)] == [b"", b"x"]
    with pytest.raises(InputError, match=r"^the system ended a process, .*; use fewer processes$"):
        next(found)


def fail(items):
    raise KeyError(items)


def test_an_error_of_ours_says_where_it_was():
    with pytest.raises(KeyError, match="7") as error:
        list(map_in_processes(partial(partial, fail), [7], 2))
    assert "in fail" in error.value.__notes__[0]


CALLS = {
    "align_many": "list(load_model(judge=None).align_many(rows, processes=2))",
    "attribute_many": "list(load_model(judge=None).attribute_many(rows, processes=2))",
    "train": "train(rows, processes=2, encoder=False, wordnet=False, iterations=1)",
}


@pytest.mark.parametrize("name", CALLS)
def test_a_script_without_a_guard_ends_with_one_line(name, tmp_path):
    (tmp_path / "script.py").write_text(
        "from vorlage import load_model, train\n"
        "rows = [('A dog ran.', 'It ran.')] * 257  # more than one block of a training\n"
        f"print('begun')\n{CALLS[name]}\n"
    )
    run = [sys.executable, tmp_path / "script.py"]
    done = subprocess.run(run, capture_output=True, text=True, timeout=100)
    *_, last = done.stderr.splitlines()
    assert last.startswith("vorlage.command.errors.InputError: a process ended before its work began")
    assert last.endswith('below `if __name__ == "__main__":`')
    assert done.returncode == 1 and done.stderr.count("Traceback") == 1  # none of the new processes


class Unreadable:
    """What can be pickled and not be read again."""

    def __reduce__(self):
        return unreadable, ()


def unreadable():
    raise AttributeError("no such function in this process")


class Unsent(Exception):
    """An error that cannot be pickled."""

    def __reduce__(self):
        raise TypeError("not to be sent")


def raise_unsent(item):
    raise Unsent(f"of {item}")


@pytest.mark.parametrize(
    ("work", "items", "message"),
    [(Unreadable(), [1, 2], "no such function"), (partial(partial, raise_unsent), [1, 2], "Unsent: of 1")],
)
def test_what_cannot_be_sent_is_said_and_not_taken_for_a_killed_process(work, items, message):
    with pytest.raises(Exception, match=message) as error:
        list(map_in_processes(work, items, 2))
    assert "memory" not in str(error.value)
