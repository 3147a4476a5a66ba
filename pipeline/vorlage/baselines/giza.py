"""Links by GIZA++ or MGIZA, if it is installed: `giza-doc` and `giza-sum`.

Model 1, HMM and Model 4 (Och & Ney 2003), as in Daumé & Marcu 2005 (Section 5.1.1), with the word classes of
mkcls, on the sentence pairs of `vorlage.baselines.bitext`. GIZA++ aligns its own training data, so no
model is stored. It reads words as numbers (`.vcb`, `.snt`) and writes alignments in the A3 format, which
this module reads back.
"""

import re
import shutil
import subprocess
import tempfile
from argparse import Namespace
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from vorlage.alignments.alignment import Link
from vorlage.baselines.bitext import SentenceWords, align_bitext, make_bitext
from vorlage.baselines.system import Baseline
from vorlage.command.errors import InputError
from vorlage.command.progress import log
from vorlage.corpus.pair import Pair
from vorlage.extract.extracts import Extract
from vorlage.files.parts import WHOLE
from vorlage.settings import Giza

# The aligner, the program that makes word classes, and the one that counts co-occurrences.
PROGRAMS = (("mgiza", "GIZA++"), ("mkcls",), ("snt2cooc", "snt2cooc.out"))
LINK = re.compile(r"\S+ \(\{((?: \d+)*) \}\)")


def find_programs(folder: str | None) -> list[str]:
    """Return the paths of `PROGRAMS`, in a folder or, if it is None, on the PATH."""
    paths = []
    for names in PROGRAMS:
        path = next(filter(None, (shutil.which(name, path=folder) for name in names)), None)
        if path is None:
            where = f"in `giza.path`, {folder}" if folder else "on the PATH"
            raise InputError(
                f"no {' or '.join(names)} {where}; install GIZA++ or MGIZA and set `giza.path` to the folder "
                "of its programs, or remove giza from `systems`"
            )
        paths.append(str(Path(path).absolute()))
    return paths


def write_corpus(folder: Path, pairs: Sequence[SentenceWords], source: str) -> None:
    """Write the input of GIZA++ and mkcls.

    For each side, these are a vocabulary (`.vcb`) and the sentences as text; for all pairs the sentences as
    numbers (`.snt`), in three lines each: how often the pair occurs, source, target. Words are numbered
    from 2, the most frequent first; 1 is for unknown words. Word 17 is written `w17`, so no word has a
    meaning for a program.
    """
    sides = [[document for document, _ in pairs], [summary for _, summary in pairs]]
    if source == "sum":
        sides.reverse()
    numbered = []
    for name, sentences in zip(("source", "target"), sides, strict=True):
        counts = Counter(word for sentence in sentences for word in sentence).most_common()
        numbers = {word: n for n, (word, _) in enumerate(counts, start=2)}
        entries = (f"{numbers[word]} w{numbers[word]} {count}" for word, count in counts)
        _write(folder / f"{name}.vcb", entries)
        _write(folder / name, (" ".join(f"w{numbers[word]}" for word in words) for words in sentences))
        numbered.append([" ".join(str(numbers[word]) for word in words) for words in sentences])
    _write(folder / "corpus.snt", (f"1\n{left}\n{right}" for left, right in zip(*numbered, strict=True)))


def _write(path: Path, lines: Iterable[str]) -> None:
    with open(path, "w", encoding="ascii") as out:
        out.writelines(f"{line}\n" for line in lines)


def run_giza(folder: Path, programs: Sequence[str], iterations: int, longest: int) -> list[Path]:
    """Make word classes and co-occurrences, train, and return the files with the alignments, in order.

    Args:
        folder: with the input that `write_corpus` wrote.
        programs: the paths of `PROGRAMS`.
        iterations: of each model.
        longest: the maximum number of words of a sentence.
    """
    aligner, classes, cooccurrence = programs
    is_mgiza = Path(aligner).name == "mgiza"
    for name in ("source", "target"):
        _run(folder, classes, "-n10", f"-p{name}", f"-V{name}.vcb.classes", "opt")
    vocabularies = ["source.vcb", "target.vcb", "corpus.snt"]
    if is_mgiza:
        _run(folder, cooccurrence, "corpus.cooc", *vocabularies)
    else:
        (folder / "corpus.cooc").write_bytes(_run(folder, cooccurrence, *vocabularies))
    steps = {"m1": iterations, "m2": 0, "mh": iterations, "m3": 0, "m4": iterations, "m5": 0}
    _run(
        folder,
        aligner,
        *["-S", "source.vcb", "-T", "target.vcb", "-C", "corpus.snt", "-CoocurrenceFile", "corpus.cooc"],
        *["-o", "aligned", "-ml", str(longest + 1), "-nodumps", "1", "-onlyaldumps", "1"],
        *[text for name, count in steps.items() for text in (f"-{name}", str(count))],
        *(["-ncpus", "1"] if is_mgiza else []),
    )
    return sorted(folder.glob("aligned.A3.final*"))


def _run(folder: Path, *command: str) -> bytes:
    done = subprocess.run(command, cwd=folder, capture_output=True)
    if done.returncode:
        lines = done.stderr.decode(errors="replace").strip().splitlines() or ["nothing"]
        raise InputError(f"{command[0]} failed with status {done.returncode} and printed: {lines[-1]}")
    return done.stdout


def read_a3(paths: Iterable[Path]) -> dict[int, list[tuple[int, int]]]:
    """Return the alignments in files of the A3 format: number of a sentence pair → links (source, target).

    Links count words from 0. The format has three lines for each sentence pair: its number and sizes, the
    target words, and the source words, NULL first, each with the positions of the target words linked to it,
    counted from 1.

    Raises:
        InputError: for another format.
    """
    alignments = {}
    for path in paths:
        lines = path.read_text(encoding="utf-8").splitlines()
        for first in range(0, len(lines), 3):
            head = re.match(
                r"# Sentence pair \((\d+)\) source length (\d+) target length (\d+)", lines[first]
            )
            rows = LINK.findall(lines[first + 2]) if first + 2 < len(lines) else []
            if not head or len(rows) != int(head[2]) + 1:
                raise InputError(
                    f"{path.name}, line {first + 1}: not the A3 format of GIZA++; "
                    "check whether sentences are longer than it accepts (`giza.longest`)"
                )
            alignments[int(head[1])] = [
                (source, int(target) - 1) for source, row in enumerate(rows[1:]) for target in row.split()
            ]
    return alignments


def align_pairs(pairs: Sequence[SentenceWords], source: str, settings: Giza) -> list[list[tuple[int, int]]]:
    """Return the links (document word, summary word) of each of the sentence pairs, by GIZA++."""
    programs = find_programs(settings.path)
    log.info(f"aligning with {programs[0]}")
    with tempfile.TemporaryDirectory() as name:
        write_corpus(Path(name), pairs, source)
        alignments = read_a3(run_giza(Path(name), programs, settings.iterations, settings.longest))
    missing = set(range(1, len(pairs) + 1)) - alignments.keys()
    if missing:
        raise InputError(
            f"{programs[0]} did not align {len(missing)} sentence pairs, the first of them number "
            f"{min(missing)}; check whether sentences are longer than it accepts (`giza.longest`)"
        )
    links = [alignments[number + 1] for number in range(len(pairs))]
    return links if source == "doc" else [[(j, i) for i, j in cells] for cells in links]


def open_system(options: Namespace) -> Baseline:
    """Return a system of the command `vorlage baseline`: the links of the whole corpus, in its order."""
    settings = Giza.from_options(options)
    if options.part != str(WHOLE):
        raise InputError("GIZA++ aligns the corpus that it is trained on; leave out --part")
    source = options.system.removeprefix("giza-")
    pairs = make_bitext(options.corpus, options.extracts, settings.longest)
    links = iter(align_pairs(pairs, source, settings))

    def align(pair: Pair, extract: Extract) -> list[Link]:
        return align_bitext(pair, extract, settings.longest, source, lambda sides: next(links))

    return Baseline(align, (settings,))
