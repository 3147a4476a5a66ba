"""Speed and memory, as tables: `make bench`, or `python benchmarks/bench.py --help`.

Measures the parsers; the encoder against torch (`make embed`); forward–backward over one pair, against
document length and the machine's peak; every stage, and training of the three jump models, on a synthetic
corpus with the shape of the 2005 paper's; sil-thot's HMM and Model 4 on the same extracts, in the same run;
and a trained model on ever more new pairs.
`python benchmarks/align_bench.py --pairs 100000` measures only the last, on many pairs.
"""

import argparse
import tempfile
from pathlib import Path

import pandas as pd
from align_bench import align_rows
from corpora import PAIRS, write_corpus
from encoders import encoder_rows
from measure import print_machine, print_table, processors
from plots import plot_lengths, plot_models
from recursion import recursion_table
from stages import Files, count_pairs, parser_rows, prepare, thot_rows, train_rows

LENGTHS = [250, 511, 1000, 2000, 4000, 8000]
SAMPLE = Path(__file__).parents[1] / "data/sample/corpus.jsonl"


def bench_training(corpus: Path | None, synthetic_pairs: int, thot_pairs: int) -> pd.DataFrame:
    """Print the tables of the stages before training and of training; return the latter.

    `corpus`: a folder of results to train on in place of a synthetic corpus of `synthetic_pairs`.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if corpus:
            parts = "corpus/corpus.jsonl", "extract/extracts.jsonl", "parse/trees.npz"
            files, title = Files(*(corpus / part for part in parts)), str(corpus)
        else:
            write_corpus(folder / "synthetic.jsonl", synthetic_pairs)
            before, files = prepare(folder, folder / "synthetic.jsonl")
            title = f"{synthetic_pairs} synthetic pairs of 511 × 128.5 words"
            print_table(f"Stages before training, {title}, whole processes", before)
        threads = processors()
        rows = [row for count in sorted({1, threads}) for row in train_rows(folder, files, count)]
        rows += thot_rows(files, min(thot_pairs, count_pairs(files.corpus)))
    trained = pd.DataFrame(rows)
    print_table(f"Training, {title}", trained)
    ours = trained[trained["threads"].eq(threads) & ~trained["model"].str.startswith("sil-thot")]
    print(f"\nThe other direction, then the jump models: {ours['seconds in all'].sum():.0f} s")
    return trained


def main() -> None:
    """Run the benchmarks that the options ask for and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=PAIRS, help=f"synthetic pairs (default: {PAIRS})")
    parser.add_argument("--thot-pairs", type=int, default=40, help="pairs for sil-thot (default: 40)")
    parser.add_argument(
        "--corpus", type=Path, help="a folder of results, such as results/mine, to train on instead"
    )
    parser.add_argument("--benepar-model", help="a model of benepar, to time that parser too")
    parser.add_argument(
        "--align-pairs", type=int, default=1000, help="new pairs to align, at most (default: 1000)"
    )
    parser.add_argument("--plots", type=Path, help="folder for figures")
    options = parser.parse_args()
    print_machine()
    print_table(
        "Parsers, document sentences of the bundled corpus", parser_rows(SAMPLE, options.benepar_model)
    )
    if encoders := encoder_rows(SAMPLE):
        print_table("The encoder against torch, documents of the bundled corpus", encoders)
    lengths, peak = recursion_table(LENGTHS)
    print_table(
        "Forward–backward over one pair, 128 summary words, one thread, median of 5; "
        f"axpy in cache {peak:.1f} GFLOP/s",
        lengths,
    )
    trained = bench_training(options.corpus, options.pairs, options.thot_pairs)
    with tempfile.TemporaryDirectory() as name:
        aligned = align_rows(Path(name), options.align_pairs)
    print_table("New pairs of 400 × 60 words aligned by relative, whole processes", aligned)
    if options.plots:
        plot_lengths(lengths, options.plots)
        plot_models(trained, options.plots)


if __name__ == "__main__":
    main()
