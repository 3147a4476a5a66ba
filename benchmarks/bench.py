"""Speed and memory, as tables: ``make bench``, or ``python benchmarks/bench.py --help``.

Parsers; forward–backward over one pair, against document length and the machine's peak; every stage and the
training of the three jump models on a synthetic corpus of the shape of the 2005 paper's; sil-thot's HMM and
Model 4 on the same extracts, in the same run; and a trained model on ever more new pairs. For many of them,
and nothing else: ``python benchmarks/align_bench.py --pairs 100000``.
"""

import argparse
import os
import platform
import tempfile
from pathlib import Path

import pandas as pd
from align_bench import align_rows
from corpora import PAIRS, write_corpus
from plots import plot_lengths, plot_models
from recursion import recursion_table
from stages import count_pairs, parser_rows, prepare, thot_rows, train_rows

LENGTHS = [250, 511, 1000, 2000, 4000, 8000]
SAMPLE = Path(__file__).parents[1] / "data/sample/corpus.jsonl"


def main():
    """Run what is asked for and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=PAIRS, help=f"synthetic pairs (default: {PAIRS})")
    parser.add_argument("--thot-pairs", type=int, default=40, help="of them for sil-thot (default: 40)")
    parser.add_argument(
        "--corpus", type=Path, help="a folder of results, such as results/mine, to train on instead"
    )
    parser.add_argument("--benepar-model", help="a model, to time that parser too")
    parser.add_argument(
        "--align-pairs", type=int, default=1000, help="new pairs to align, at most (default: 1000)"
    )
    parser.add_argument("--plots", type=Path, help="folder for figures")
    options = parser.parse_args()
    threads = os.cpu_count()
    machine = platform.processor() or platform.machine()
    print(f"{machine}, {threads} processors, Python {platform.python_version()}")
    show(
        "Parsers, document sentences of the bundled corpus",
        pd.DataFrame(parser_rows(SAMPLE, options.benepar_model)),
    )
    lengths, peak = recursion_table(LENGTHS)
    show(
        "Forward–backward over one pair, 128 summary words, one thread, median of 5; "
        f"axpy in cache {peak:.1f} GFLOP/s",
        lengths,
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if options.corpus:
            files = {
                "corpus": options.corpus / "corpus/corpus.jsonl",
                "extracts": options.corpus / "extract/extracts.jsonl",
                "trees": options.corpus / "parse/trees.npz",
            }
            title = str(options.corpus)
        else:
            write_corpus(folder / "synthetic.jsonl", options.pairs)
            rows, files = prepare(folder, folder / "synthetic.jsonl")
            title = f"{options.pairs} synthetic pairs of 511 × 128.5 words"
            show(f"Stages before training, {title}, whole processes", pd.DataFrame(rows))
        pairs = count_pairs(files["corpus"])
        rows = [row for count in sorted({1, threads}) for row in train_rows(folder, files, count)]
        rows += thot_rows(files, min(options.thot_pairs, pairs))
        trained = pd.DataFrame(rows)
        show(f"Training, {title}", trained)
        together = trained[trained["threads"].eq(threads) & ~trained["model"].str.startswith("sil-thot")]
        print(f"\nThe other direction, then the jump models: {together['seconds in all'].sum():.0f} s")
    with tempfile.TemporaryDirectory() as name:
        aligned = align_rows(Path(name), options.align_pairs)
    show("New pairs of 400 × 60 words aligned by relative, whole processes", pd.DataFrame(aligned))
    if options.plots:
        plot_lengths(lengths, options.plots)
        plot_models(trained, options.plots)


def show(title, table):
    """Print a table with its title, three digits that count."""
    text = table.to_string(
        index=False, float_format=lambda x: f"{x:,.0f}" if x >= 100 else f"{x:.3g}", na_rep=""
    )
    print(f"\n{title}\n\n{text}", flush=True)


if __name__ == "__main__":
    main()
