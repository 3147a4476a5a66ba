"""Mutation testing: changes the code in one small way at a time, and reports what no test notices.

The changes are those of Cosmic Ray (an operator, a comparison, a number, a loop), without those of
annotations and decorators, in a copy of the project. Kernels are not compiled. In each part of the code,
``--sample`` places are drawn, and one change at each of them.
"""

import argparse
import ast
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
WORDNET = "results/wordnet"
LEFT_OUT = (".git", ".venv", "__pycache__", "fuzzing", "results", "site")
KERNELS = (
    "tests/semihmm/test_kernels.py tests/semihmm/test_pruning.py tests/semihmm/test_wordnet_distance.py "
    "tests/semihmm/test_reversed_support.py tests/train/test_em.py tests/semihmm/test_toeplitz_fft.py "
    "-k 'not 2048 and not any_texts'"
)
EM = (
    "tests/train/test_em.py tests/train/test_model1.py tests/train/test_training.py "
    "tests/semihmm/test_pruning.py -k 'not any_texts'"
)
DECODE = "tests/align/test_decode.py tests/align/test_gaps.py tests/align/test_copies.py tests/align"
# Part → its modules, and the tests that should notice a change in them.
PARTS = {
    "kernels": ("pipeline/semihmm/kernels/*.py", KERNELS),
    "em": ("pipeline/train/em.py pipeline/train/expectation.py", EM),
    "decode": ("pipeline/align/decode.py pipeline/align/gaps.py pipeline/align/copies.py", DECODE),
    "score": ("pipeline/score/*.py", "tests/score"),
    "attribution": ("pipeline/attribution/*.py", "tests/attribution"),
}
TIMES_LONGER, MORE_SECONDS = 3, 60  # than the tests of unchanged code, before they count as endless


def places(path: Path) -> dict[tuple[int, int], list]:
    """Return the mutations of a module by the line and column where they are."""
    from cosmic_ray.commands.init import _all_work_items

    skipped = list(_not_run(ast.parse(path.read_text(encoding="utf-8"))))
    found = defaultdict(list)
    for item in _all_work_items([path], {}):
        [mutation] = item.mutations
        start = mutation.start_pos
        if not any(begin <= start < end for begin, end in skipped):
            found[start].append(mutation)
    return found


def _not_run(tree: ast.AST) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield the beginning and the end of each annotation and decorator."""
    for node in ast.walk(tree):
        parts = [getattr(node, name, None) for name in ("annotation", "returns")]
        for part in [*parts, *getattr(node, "decorator_list", [])]:
            if part is not None:
                # Cosmic Ray has a decorator begin at its @.
                yield (part.lineno, part.col_offset - 1), (part.end_lineno, part.end_col_offset)


def mutate(part: str, sample: int, seed: int) -> tuple[Counter, int]:
    """Test a sample of the mutations of a part, in the working directory; print those that survive.

    Return the number of each outcome, and the number of places.
    """
    from cosmic_ray.mutating import mutate_and_test
    from cosmic_ray.testing import run_tests
    from cosmic_ray.work_item import TestOutcome

    patterns, tests = PARTS[part]
    command = f"{sys.executable} -m pytest -x -q -p no:cacheprovider {tests}"
    begun = time.monotonic()
    outcome, output = run_tests(command, None)
    if outcome != TestOutcome.SURVIVED:
        sys.exit(f"{part}: the tests fail without a change:\n{output}")
    longest = TIMES_LONGER * (time.monotonic() - begun) + MORE_SECONDS
    modules = sorted(path for pattern in patterns.split() for path in Path().glob(pattern))
    found = [mutations for path in modules for _, mutations in sorted(places(path).items())]
    rng, outcomes = random.Random(f"{seed} {part}"), Counter()
    for mutations in rng.sample(found, min(sample, len(found))):
        result = mutate_and_test([rng.choice(mutations)], command, longest)
        outcomes[result.test_outcome] += 1
        if result.test_outcome != TestOutcome.KILLED:
            print(result.diff, flush=True)
        print(f"{part}: {outcomes['killed']} of {outcomes.total()} killed", file=sys.stderr)
    return outcomes, len(found)


def main() -> None:
    """Print the survivors, and a line for the table of docs/guarantees.md for each part."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)} (default: all)")
    parser.add_argument("--sample", type=int, default=100, help="places of each part (default: 100)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*LEFT_OUT), dirs_exist_ok=True)
        if (ROOT / WORDNET).exists():  # made once by `make align`, not by each run of the tests
            shutil.copytree(ROOT / WORDNET, Path(folder, WORDNET))
        os.chdir(folder)
        for part in options.parts or PARTS:
            outcomes, count = mutate(part, options.sample, options.seed)
            killed, tried = outcomes["killed"], outcomes.total()
            print(f"| {part} | {count} | {tried} | {killed} | {killed / tried:.0%} |", flush=True)


if __name__ == "__main__":
    main()
