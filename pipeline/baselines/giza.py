"""GIZA++ or MGIZA, where the user has it: ``python -m pipeline.baselines.giza``.

    python -m pipeline.baselines.giza --source doc --corpus corpus.jsonl --extracts extracts.jsonl \\
        --output alignments.jsonl

Model 1, HMM and Model 4 (Och & Ney 2003), as in Daumé & Marcu 2005 (Section 5.1.1), with the word classes of
mkcls, on the sentence pairs of :mod:`pipeline.baselines.bitext`. GIZA++ aligns what it is
trained on, so there is no model to keep. It reads words as numbers (``.vcb``, ``.snt``) and answers in the A3
format, from which the links are read back.
"""

import re
import shutil
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

from pipeline import settings
from pipeline.alignments import Alignment
from pipeline.baselines.bitext import make_bitext, sentence_pairs
from pipeline.baselines.system import arguments, keep_links, word_links, write_all
from pipeline.baselines.translation import SOURCES
from pipeline.fingerprint import digest, fingerprint
from pipeline.run.errors import InputError, command
from pipeline.run.progress import log, start_log

ALIGNERS = ("mgiza", "GIZA++")
LINK = re.compile(r"\S+ \(\{((?: \d+)*) \}\)")


def find_program(names, folder):
    """The first of ``names`` in a folder, or on the PATH where ``folder`` is None."""
    for name in names:
        found = shutil.which(name, path=folder)
        if found:
            return str(Path(found).absolute())
    where = f"in `giza.path`, {folder}" if folder else "on the PATH"
    raise InputError(
        f"no {' or '.join(names)} {where}; install GIZA++ or MGIZA and set `giza.path` to the folder of its "
        "programs, or leave giza out of `systems`"
    )


def write_corpus(folder, pairs, source):
    """Write what GIZA++ and mkcls read: for each side a vocabulary (``.vcb``) and the sentences as text, and
    all pairs as numbers (``.snt``), three lines each: how often it occurs, source, target.

    Words are numbered from 2, the most frequent first; 1 is for unknown ones. Word 17 is written ``w17``, so
    that no word means anything to a program.
    """
    sides = [[document for document, _ in pairs], [summary for _, summary in pairs]]
    if source == "sum":
        sides.reverse()
    numbers = []
    for name, sentences in zip(("source", "target"), sides, strict=True):
        counts = Counter(word for sentence in sentences for word in sentence).most_common()
        number = {word: n for n, (word, _) in enumerate(counts, start=2)}
        _write(folder / f"{name}.vcb", (f"{number[word]} w{number[word]} {count}" for word, count in counts))
        _write(folder / name, (" ".join(f"w{number[word]}" for word in words) for words in sentences))
        numbers.append([" ".join(str(number[word]) for word in words) for words in sentences])
    _write(folder / "corpus.snt", (f"1\n{one}\n{other}" for one, other in zip(*numbers, strict=True)))


def _write(path, lines):
    with open(path, "w", encoding="ascii") as out:
        out.writelines(f"{line}\n" for line in lines)


def run_giza(folder, programs, iterations, longest):
    """Make word classes and co-occurrences, train, and return the files with the alignments, in order."""
    aligner, classes, cooccurrence = programs
    for name in ("source", "target"):
        _run(folder, classes, "-n10", f"-p{name}", f"-V{name}.vcb.classes", "opt")
    vocabularies = ["source.vcb", "target.vcb", "corpus.snt"]
    if Path(aligner).name == "mgiza":
        _run(folder, cooccurrence, "corpus.cooc", *vocabularies)
    else:
        (folder / "corpus.cooc").write_bytes(_run(folder, cooccurrence, *vocabularies))
    steps = {"m1": iterations, "m2": 0, "mh": iterations, "m3": 0, "m4": iterations, "m5": 0}
    options = [text for name, count in steps.items() for text in (f"-{name}", str(count))]
    _run(
        folder,
        aligner,
        *["-S", "source.vcb", "-T", "target.vcb", "-C", "corpus.snt", "-CoocurrenceFile", "corpus.cooc"],
        *["-o", "aligned", "-ml", str(longest + 1), "-nodumps", "1", "-onlyaldumps", "1"],
        *options,
        *(["-ncpus", "1"] if Path(aligner).name == "mgiza" else []),
    )
    found = sorted(folder.glob("aligned.A3.final*"))
    if not found:
        raise InputError(
            f"{aligner} wrote no alignments (aligned.A3.final); run it by hand on a small corpus"
        )
    return found


def _run(folder, *command):
    done = subprocess.run([str(part) for part in command], cwd=folder, capture_output=True)
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines() or ["nothing"]
        raise InputError(f"{command[0]} failed with status {done.returncode} and said: {said[-1]}")
    return done.stdout


def read_a3(paths):
    """The alignments in files of the A3 format: number of a sentence pair → links (source, target) from 0.

    Three lines a sentence pair: its number and sizes, the target words, and the source words, NULL first,
    each with the places of the target words it is linked to, counted from 1. Raises :class:`InputError` for
    what is not in the format.
    """
    found = {}
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
                    "look whether sentences are longer than it takes (`giza.longest`)"
                )
            found[int(head[1])] = [
                (source, int(target) - 1) for source, row in enumerate(rows[1:]) for target in row.split()
            ]
    return found


def align_bitext(pairs, source, options):
    """Links (document word, summary word) of each of the sentence pairs, by GIZA++."""
    folder = options["path"]
    programs = [
        find_program(ALIGNERS, folder),
        find_program(("mkcls",), folder),
        find_program(("snt2cooc", "snt2cooc.out"), folder),
    ]
    log.info(f"aligning with {programs[0]}")
    with tempfile.TemporaryDirectory() as name:
        write_corpus(Path(name), pairs, source)
        found = read_a3(run_giza(Path(name), programs, options["iterations"], options["longest"]))
    missing = [number for number in range(1, len(pairs) + 1) if number not in found]
    if missing:
        raise InputError(
            f"{programs[0]} left out {len(missing)} sentence pairs, number {missing[0]} the first"
        )
    turned = 1 if source == "doc" else -1
    return [[link[::turned] for link in found[number + 1]] for number in range(len(pairs))]


def align(pair, extract, links, source, longest, system, mark=""):
    """The :class:`Alignment` of a pair; ``links`` yields those of its sentence pairs, in order."""
    cells = {}
    for sides in sentence_pairs(pair, extract, longest):
        found = {}
        for j, i in next(links):
            found.setdefault(int(sides.summary[i]), []).append(int(sides.document[j]))
        keep_links(cells, found, source)
    words = word_links(cells, len(pair.summary.words))
    return Alignment(pair.id, system, None, pair.document.words, pair.summary.words, words, mark)


@command
def main(given=None):
    """Run GIZA++ from the command line."""
    parser = arguments("pipeline.baselines.giza", __doc__, parts=False)
    parser.add_argument("--source", required=True, choices=SOURCES, help="the source: document or summary")
    settings.add_options(parser, "giza")
    options = parser.parse_args(given)
    start_log(options.log)
    chosen = settings.from_options(options, "giza")
    system, longest = f"giza-{options.source}", chosen["longest"]
    bitext = make_bitext(options.corpus, options.extracts, longest)
    links = iter(align_bitext(bitext.pairs, options.source, chosen))
    mark = digest((fingerprint("pipeline.baselines.giza"), system, chosen))
    write_all(
        options,
        system,
        lambda pair, extract: align(pair, extract, links, options.source, longest, system, mark),
    )


if __name__ == "__main__":
    main()
