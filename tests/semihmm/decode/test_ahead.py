"""The recursions that are compiled ahead are those that a short pair needs."""

import subprocess
import sys

import pytest
from vorlage import kernel_cache
from vorlage.semihmm.kernels import ahead, forward_backward

PROGRAM = """
from vorlage.api import load_model
from vorlage.semihmm.decode.load import SHIPPED
from vorlage.semihmm.kernels import ahead, forward_backward
recursions = forward_backward._forward, forward_backward._backward
ahead.compile_recursions()
load_model(SHIPPED / "without-encoder.npz").align("The dog barked. A cat slept.", "The dog slept.")
print(*(len(kernel.signatures) for kernel in recursions))
"""


def test_a_short_pair_needs_no_other_recursions():
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=200)
    assert done.stdout.split() == ["1", "1"]


def test_another_process_compiles_if_nothing_is_compiled(tmp_path, monkeypatch):
    ahead.compile_recursions()
    assert ahead.start_compiling() is None
    monkeypatch.setattr(kernel_cache, "_folders", lambda: iter([tmp_path]))
    monkeypatch.setattr(subprocess, "Popen", lambda command, **_: command)
    assert ahead.start_compiling() == [sys.executable, "-P", "-m", ahead.__name__]
    (tmp_path / f"_backward-{'0' * 16}-{'0' * 16}.kernel").touch()  # of other sources
    assert ahead.start_compiling() is not None
    monkeypatch.setattr(kernel_cache, "_digest", lambda _: "0" * 16)
    assert kernel_cache.is_compiled(forward_backward._backward)
    monkeypatch.setattr(subprocess, "Popen", pytest.fail)
    assert ahead.start_compiling() is None


def test_nothing_is_imported_from_the_folder_at_hand(tmp_path, monkeypatch):
    (tmp_path / "numpy.py").write_text("raise SystemExit(9)")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(ahead, "is_compiled", lambda kernel: False)
    assert ahead.start_compiling().wait(timeout=200) == 0
