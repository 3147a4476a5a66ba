"""Writes the outputs of docs/papers.md, the examples that the papers print:

    python experiments/papers_page.py results/papers/train/relative/model.npz

The model is that of the preset `paper`, trained on the bundled pairs; the other one is that of the package.
"""

from functools import partial
from itertools import groupby
from textwrap import fill

import figures
import numpy as np
from curves import PAPER, Corpus
from decomposition_figure import cut_and_paste, figure_text
from markdown_tables import ROOT, markdown_table, write_pages
from vorlage import load_model
from vorlage.cli.align import derivation_table
from vorlage.documents.pair import Pair
from vorlage.files.jsonl import read_jsonl
from vorlage.semihmm.model import Model
from vorlage.settings import Parse
from vorlage.text.tokenize import make_text
from vorlage.text.wordnet import open_wordnet
from vorlage.trees.parser import list_constituents, open_parser
from vorlage.views.console import shown_text
from vorlage.workflow.decompose.operations import Hypernymy, decompose

DATA = ROOT / "data/papers"
WIDTH = 118  # columns of an output
# The links of Figure 1 that the model of Jing (2002) cannot find (2005, Section 1.3).
FIGURE_1 = {
    "Connecting Point": "Connecting Point Systems",
    "Mac": "Macintosh",
    "retailer": "seller",
    "Macintosh": "Apple Macintosh systems",
    "January 1989": "last January",
}
# The jumps of Section 4.1.3: over a verb and its object, over a prepositional phrase, and that of footnote 6.
JUMPS = ("tripled its sales", "of Apple Macintosh systems", "since last")


def read_pair(name, sides=("document", "abstract")):
    """Return the pair of two files."""
    return Pair(name, *(make_text((DATA / f"{name}-{side}.txt").read_text()) for side in sides))


def read_pairs(name):
    """Return the pairs of a file of JSON lines, with their records."""
    records = (record for _, record in read_jsonl(DATA / f"{name}.jsonl"))
    return [(Pair(r["id"], make_text(r["document"]), make_text(r["summary"])), r) for r in records]


def places(words, phrase):
    """Return the range of tokens of each place of a phrase in a text."""
    words, phrase = [word.lower() for word in words], phrase.lower().split()
    starts = (i for i in range(len(words)) if words[i : i + len(phrase)] == phrase)
    return [range(i, i + len(phrase)) for i in starts]


def cell(aligned, phrase, right):
    """Return what the first place of a phrase is linked to, and whether that is `right`: wholly, in part."""
    tokens, words = places(aligned.summary_words, phrase)[0], aligned.document_words
    found = {link.document for link in aligned.links if link.summary in tokens}
    runs = groupby(enumerate(sorted(found)), lambda item: item[1] - item[0])
    text = " … ".join(" ".join(words[token] for _, token in run) for _, run in runs) or "∅"
    wanted = list(map(set, places(words, right) if right else [()]))
    verdict = "yes" if found in wanted else "in part" if any(found & place for place in wanted) else "no"
    return f"{verdict}: {text}"


def link_rows(models, pair, links):
    """Return a row for each phrase of the summary: what it should be linked to, and is by each model.

    `links`: the phrase, what it should be linked to, None for null, and what is printed before the models.
    """
    aligned = [model.align_pair(pair, decoding=decoding) for model, decoding in models]
    return [
        [f"{phrase} ← {right or '∅'}", *printed, *(cell(each, phrase, right) for each in aligned)]
        for phrase, right, *printed in links
    ]


def link_table(rows, *columns):
    """Return the table of rows of `link_rows`."""
    heading = ["link", *columns, "model of the paper", "default model"]
    return markdown_table(heading, rows, len(heading))


def block(text):
    """Return a text as a block of Markdown."""
    return f"```text\n{text.rstrip()}\n```"


def skipped(nodes, first, last):
    """Return the labels of the fewest constituents that cover the words from `first` to before `last`."""
    labels = []
    while first < last:
        node = max((x for x in nodes if x.start == first and x.end <= last), key=lambda x: (x.end, -x.parent))
        labels.append(node.label)
        first = node.end
    return labels


def parse_first(text):
    """Return the words of the first sentence of a text, and its tree."""
    words = text.words[slice(*text.sentences[0])]
    [parsed] = open_parser(Parse())([words])
    return words, parsed.tree


def tree_of(text):
    """Return the tree of the first sentence of a text, and the constituents that the jumps skip."""
    words, tree = parse_first(text)
    nodes, lines = list_constituents(tree), [fill(" ".join(str(tree[0]).split()), WIDTH)]
    for phrase in JUMPS:
        place = places(words, phrase)[0]
        labels = [f"{label}-f" for label in skipped(nodes, place.start, place.stop)]
        lines.append(f"over “{phrase}”: {' · '.join(labels)}")
    return "\n".join(lines)


def decomposition():
    """Return the figure of a summary sentence, without empty lines and with lines of a limited width."""
    [tagged] = cut_and_paste(read_pair("decomposition", ("document", "summary")))
    return "\n".join(fill(line, WIDTH) for line in figure_text(tagged).split("\n") if line)


def operation_rows(model):
    """Return a row for each operation of Section 2: the sentences, and what the links of a model show."""
    hypernymy = Hypernymy(open_wordnet())
    for pair, _ in read_pairs("operations"):
        cells = model.align_pair(pair).alignment.word_links()
        shown = [sentence.operations for sentence in decompose(pair, cells, hypernymy)]
        found = "; ".join(", ".join(operations) or "none" for operations in shown)
        yield [pair.id, pair.document.raw, pair.summary.raw, found]


def draw_figures(path, paper, pair):
    """Draw Figures 1, 3, 4, 6 and 7 of the 2005 paper by the model of a file, from our texts."""
    steps = [step for step in paper.explain_pair(pair).steps if step.summary]
    spans = [(range(*step.summary), range(*(step.document or (0, 0)))) for step in steps]
    links, jumps = [span for span in spans if span[1]], Model.load(path).jumps
    words, parsed = parse_first(pair.document)
    bundled = Corpus("sample", ROOT / "data/sample", PAPER["extract"])
    skips = [(place.start, place.stop) for place in (places(words, phrase)[0] for phrase in JUMPS)]

    def probability(distance):
        return float(np.exp(jumps.logarithms(3))[distance + 3])  # of −3 … 4

    for name, draw, arguments in (
        ("alignment", figures.draw_alignment, (pair, links)),
        ("derivation", figures.draw_path, (pair, spans)),
        ("states", figures.draw_states, (("a", "b"), probability, jumps.null_probability)),
        ("tree", figures.draw_tree, (parsed[0], skips)),
        ("extract", figures.draw_extract, bundled.pairs[0]),
    ):
        figures.save(f"papers-{name}", partial(draw, *arguments))


def outputs(model):
    """Return the outputs by their places, and draw the figures; `model`: the file of that of the paper."""
    paper, default = load_model(model), load_model()
    models = [(paper, paper.decoding(decoder="viterbi")), (default, None)]
    pair = read_pair("figure-1")
    draw_figures(model, paper, pair)
    errors = (row for each, known in read_pairs("errors") for row in link_rows(models, each, known["links"]))
    operations = ["Jing's operation", "document", "summary", "operations that the links show"]
    made = {
        "links": link_table(link_rows(models, pair, FIGURE_1.items())),
        "derivation": block(shown_text(derivation_table(paper.explain_pair(pair)), WIDTH)),
        "tree": block(tree_of(pair.document)),
        "errors": link_table(errors, "printed"),
        "operations": markdown_table(operations, operation_rows(default), len(operations)),
        "decomposition": block(decomposition()),
    }
    return {"docs/papers.md": {f"papers {name}": output for name, output in made.items()}}


if __name__ == "__main__":
    write_pages(outputs)
