"""Compiles the recursions in another process, while this one compiles what a pair needs before them."""

import multiprocessing
import subprocess
import sys

import numpy as np

from vorlage.kernel_cache import is_compiled
from vorlage.semihmm.kernels import forward_backward
from vorlage.semihmm.kernels.arguments import KernelInputs
from vorlage.semihmm.kernels.toeplitz import make_toeplitz
from vorlage.semihmm.kernels.transitions import toeplitz_transitions


def start_compiling() -> subprocess.Popen[bytes] | None:
    """Start a process that compiles the recursions over short pairs, and return it.

    Return None if they are compiled already, or if this is one of several processes, which use all cores.
    """
    if is_compiled(forward_backward._backward) or multiprocessing.parent_process():
        return None
    try:
        # -P: nothing is imported from the folder at hand.
        command, quiet = [sys.executable, "-P", "-m", __name__], subprocess.DEVNULL
        return subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet)
    except OSError:  # this process compiles them, too
        return None


def compile_recursions() -> None:
    """Compile the recursions over short pairs, by aligning one word to one word."""
    word, none = np.zeros(1, np.int32), np.empty(0, np.int32)
    phrases = np.empty((0, 4), np.int32), none, np.empty(0)
    transitions = toeplitz_transitions(0.5, make_toeplitz(np.log(np.full(4, 0.25))))
    inputs = KernelInputs(word, word, np.ones((1, 1)), np.ones(1), *phrases, transitions)
    forward_backward.expect(inputs, 1.0, np.empty((1, 1)), False)


if __name__ == "__main__":
    compile_recursions()
