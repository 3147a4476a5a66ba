"""Fuzz one target with atheris: ``python -m fuzz.drive gold FOLDER``, then options of libFuzzer.

An exception does not end the run: the first input for each place that raises is kept as
``FOLDER/found/NAME``, with its traceback as ``NAME.txt``. libFuzzer itself keeps an input that takes too much
time or memory, and ends. ``FOLDER/accepted.txt`` holds the number of accepted inputs.
"""

import hashlib
import sys
import time
import traceback
from pathlib import Path
from random import Random

import atheris

# YAML is read in Python; the readers of JSON, XML and Parquet are compiled.
INSTRUMENTED = ["pipeline", "yaml"]


class Driver:
    """Pass inputs to a target and keep the findings in ``folder``."""

    def __init__(self, target, folder):
        self.target, self.folder = target, folder
        self.accepted, self.seen, self.told = 0, set(), 0.0

    def __call__(self, data):
        """Try one input; libFuzzer calls this."""
        try:
            self.accepted += self.target.accepts(data)
        except Exception as error:
            self._keep(data, error)
        if time.monotonic() - self.told > 1:
            self.told = time.monotonic()
            (self.folder / "accepted.txt").write_text(f"{self.accepted}\n")

    def mutate(self, data, most, seed):
        """Return another input: near the format or, as often, by libFuzzer's own mutations."""
        random = Random(seed)
        made = self.target.mutate(data, random) if random.random() < 0.5 else data
        return made if made != data and len(made) <= most else atheris.Mutate(data, most)

    def _keep(self, data, error):
        place = _place(error)
        if place not in self.seen:
            self.seen.add(place)
            text = "".join(traceback.format_exception(error))
            path = self.folder / "found" / hashlib.sha256(place.encode()).hexdigest()[:10]
            path.write_bytes(data)
            path.with_suffix(".txt").write_text(text, "utf-8", "backslashreplace")


def _place(error):
    """Return the kind of an exception and the innermost line of the project that it passed."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if "/site-packages/" not in f.filename]
    return f"{type(error).__name__} {frames[-1].filename}:{frames[-1].lineno}"


def main(name, folder, *options):
    """Fuzz the target ``name`` for as long as libFuzzer's options say."""
    with atheris.instrument_imports(include=INSTRUMENTED):
        from fuzz.target import load

        target = load(name)
    corpus, found = (Path(folder) / part for part in ("corpus", "found"))
    for path in (corpus, found):
        path.mkdir(parents=True, exist_ok=True)
    for seed in target.seeds():
        (corpus / hashlib.sha256(seed).hexdigest()[:20]).write_bytes(seed)
    driver = Driver(target, Path(folder))
    atheris.Setup(
        [sys.argv[0], f"-artifact_prefix={found}/", *options, str(corpus)],
        driver,
        custom_mutator=driver.mutate,
    )
    atheris.Fuzz()


if __name__ == "__main__":
    main(*sys.argv[1:])
