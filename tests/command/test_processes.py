"""Work by several processes: order, memory, errors."""

from functools import partial

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
