"""One target by atheris: ``python -m fuzz.drive gold FOLDER``, then options of libFuzzer.

An exception does not end it: of each place that raises, the first input is kept as ``FOLDER/found/NAME``,
with the traceback beside it as ``NAME.txt``. What takes too much time or memory
libFuzzer keeps itself, and ends.
``FOLDER/accepted.txt`` says how many inputs were taken.
"""

import hashlib
import sys
import time
import traceback
from pathlib import Path
from random import Random

import atheris

# YAML is read in Python; what JSON, XML and Parquet are read by cannot be seen into.
INSTRUMENTED = ["pipeline", "yaml"]


class Driver:
    """Gives inputs to a target and keeps what it finds in ``folder``."""

    def __init__(self, target, folder):
        self.target, self.folder = target, folder
        self.accepted, self.seen, self.told = 0, set(), 0.0

    def __call__(self, data):
        """What libFuzzer calls."""
        try:
            self.accepted += self.target.accepts(data)
        except Exception as error:
            self._keep(data, error)
        if time.monotonic() - self.told > 1:
            self.told = time.monotonic()
            (self.folder / "accepted.txt").write_text(f"{self.accepted}\n")

    def mutate(self, data, most, seed):
        """Another input: near the format or, as often, as libFuzzer would make it."""
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
    """The kind of an exception and the innermost line of ours that it passed, tests among them."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if "/site-packages/" not in f.filename]
    return f"{type(error).__name__} {frames[-1].filename}:{frames[-1].lineno}"


def main(name, folder, *options):
    """Fuzz the target ``name`` until libFuzzer's options say to end."""
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
