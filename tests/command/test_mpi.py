"""Work by the processes that MPI started."""

import shutil
import subprocess
import sys

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("mpiexec"), reason="no MPI"),
]
SCRIPT = """
import sys
from functools import partial
from vorlage import train
from vorlage.command.processes import map_in_processes, mpi_processes

def divide(start, item):
    return 12 // (item - start)

if __name__ == "__main__":
    rows = [(f"A dog of {i % 7} ran. It was {i % 50}.", f"It ran, {i % 50}.") for i in range(600)]
    train(rows, processes=2, encoder=False, iterations=3).save(sys.argv[1])
    print(mpi_processes(), *map_in_processes(partial(partial, divide, 3), range(4, 8), 2, size=3))
    print(*map_in_processes(partial(partial, divide, 6), range(4, 8), 2))
"""


def test_processes_of_mpi_give_the_same_bytes_in_order_and_their_errors(tmp_path):
    script, paths = tmp_path / "script.py", [tmp_path / "here.npz", tmp_path / "mpi.npz"]
    script.write_text(SCRIPT)
    options = {"capture_output": True, "text": True, "timeout": 200}
    here = subprocess.run([sys.executable, script, paths[0]], **options)
    mpi = ["mpiexec", "-n", "3", sys.executable, "-m", "mpi4py.futures"]
    there = subprocess.run([*mpi, script, paths[1]], **options)
    assert [here.stdout.split(), there.stdout.split()] == [
        [processes, "12", "6", "4", "3"] for processes in ("0", "2")
    ]
    assert all("ZeroDivisionError" in run.stderr and run.returncode == 1 for run in (here, there))
    assert paths[0].read_bytes() == paths[1].read_bytes()
