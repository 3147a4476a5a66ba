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


def test_in_processes_keeps_order_and_little_memory_and_raises():
    taken = []

    def numbers(count):
        for number in range(count):
            taken.append(number)
            yield number

    done = map_in_processes(partial(doubler, None), numbers(100), 2)
    assert [next(done) for _ in range(3)] == [0, 2, 4]
    assert len(taken) < 20
    assert list(done) == [2 * number for number in range(3, 100)]
    with pytest.raises(InputError, match="not 5"):
        list(map_in_processes(partial(doubler, 5), numbers(10**9), 2))
