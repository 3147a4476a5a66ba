"""Odd texts: tokens are where they say they are, and no character is lost."""

import json

import pytest
from guarantees import tried
from hostile_runs import done, refused
from hostile_world import lines

from pipeline import export
from pipeline.align import __main__ as align
from pipeline.baselines import cutpaste, identity
from pipeline.corpus import __main__ as corpus
from pipeline.extract import __main__ as extract
from pipeline.extract import statistics
from pipeline.parse import __main__ as parse
from pipeline.parse import gather, sentences
from pipeline.report import __main__ as report
from pipeline.report import figures
from pipeline.score import __main__ as score
from pipeline.score import analysis
from pipeline.train import __main__ as train

PLAIN = "The mill by the river grinds wheat. Nobody complained."
# Name → document and summary.
TEXTS = {
    "plain": (PLAIN, "A mill grinds wheat."),
    "combining": (
        "Cafe\u0301 Mu\u0308hle o\u0302\u0323\u0301\u0301\u0301 runs. It is open.",
        "Cafe\u0301 runs.",
    ),
    "composed": ("Café Mühle runs.", "Cafe\u0301 runs."),
    "right to left": ("הטחנה טוחנת חיטה. \u202eabc\u202c \u200fxyz.", "\u2067הטחנה\u2069 טוחנת."),
    "Arabic": ("الطاحونة تطحن القمح. لم يشتك أحد؟", "الطاحونة تطحن."),
    "emoji": ("The 👩\u200d🔬 left 🏳️\u200d🌈 town 👍🏽. 🎉🎉", "👩\u200d🔬 left 👍🏽."),
    "zero width": ("\u200bThe\u200c mill\u200d grinds\ufeff wheat\u2060.", "The\u200b mill."),
    "no-break spaces": ("The\u00a0mill\u202fgrinds\u3000wheat\u2003.", "The\u00a0mill."),
    "odd line breaks": (
        "The mill\u2028grinds\u2029wheat\x85now\x0bor\x0cnever\x1c.\x1d\x1e",
        "The\u2028mill.",
    ),
    "CRLF": ("The mill.\r\nIt grinds.\r\n\r\n", "The mill.\r\n"),
    "lone CR": ("The mill.\rIt grinds.\r\r", "The mill.\r"),
    "control characters": ("The\x01 mill\x1b[31m \x7fgrinds\x08.", "The\x01 mill."),
    "astral": ("𝕿𝖍𝖊 mill 𐍈𐌰 𒀀 \U0010ffff grinds.", "𝕿𝖍𝖊 mill."),
    "noncharacters": ("The \ufffe mill \uffff grinds \ufffd.", "The \uffff."),
    "case that grows": ("ŒUVRE İstanbul ẞ ﬁne ǅ.", "œuvre i̇stanbul ss FINE ǆ."),
    "Chinese": ("磨坊磨小麦。没有人抱怨。", "磨坊磨小麦。"),
    "longer summary": ("A mill.", " ".join([PLAIN] * 5)),
    "one word": ("mill", "mill"),
    "one letter": ("m", "M"),
    "all equal": ("mill " * 60, "mill " * 20),
    "nothing shared": ("alpha beta gamma delta.", "one two three four!"),
    "punctuation": ("?! ... -- (;) “” '' ``", "... !"),
    "stop words": ("The of and to in. A the it.", "the of it."),
    "brackets": ("(S (NP x)) -LRB- [ ] { } <a> </a> \\/ (", "-LRB- (x) ["),
    "markup": ("<script>alert('1')</script> &amp; <!-- x --> ]]>", "</script> & <b>."),
    "tables": ('a\tb "c" \'d\' a""b\n"e\tf"\n=1+1', '"a\tb" =1+1'),
    "code": ("$(touch PWNED) `touch PWNED`; rm -rf {x} %s {0} ${y}", "$(touch PWNED) %d {}"),
    "quotes": ("\"'\"'\"' '''' \"\" `` ' \" «» ‘’ “ ”", "''\"' ``"),
    "numbers": ("1,000.00 -5 1e999 NaN inf ½ ٣ ４ ① 1/2", "NaN 1e999 ½"),
    "null": ("null None nan NaN NA N/A true false", "null NA"),
}
FORMATS = ("jsonl", "jsonl of sentences", "text")


def write(folder, form):
    """Write the pairs in a format and return the options of the corpus stage."""
    if form == "text":
        for name, sides in TEXTS.items():
            for side, text in zip(("documents", "summaries"), sides, strict=True):
                (folder / side).mkdir(exist_ok=True)
                (folder / side / f"{name}.txt").write_bytes(text.encode())
        return ["--reader", "text", "--path", folder]
    many = form == "jsonl of sentences"
    records = [
        {"id": name, "document": d.split(".") if many else d, "summary": [s] if many else s}
        for name, (d, s) in TEXTS.items()
    ]
    (folder / "pairs.jsonl").write_text(lines(records))
    return ["--reader", "jsonl", "--path", folder / "pairs.jsonl"]


def given(text, form):
    """Return the text that the corpus must contain for a text in a format."""
    if form == "text":
        return text.replace("\r\n", "\n").replace("\r", "\n")
    if form == "jsonl of sentences":
        return "".join(" " if one in "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029" else one for one in text)
    return text


def check_tokens(text):
    """Check that tokens ascend and that only white space lies between them."""
    end, rest = 0, []
    for first, last in text["tokens"]:
        assert end <= first < last
        rest.append(text["text"][end:first])
        end = last
    assert not "".join([*rest, text["text"][end:]]).strip()
    ends = [0, *(end for _, end in text["sentences"])]
    assert [first for first, _ in text["sentences"]] == ends[:-1] and ends[-1] == len(text["tokens"])


@pytest.mark.guarantee("texts")
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("tokenized", ["false", "true"])
def test_tokens_cover_every_character(tmp_path, capsys, form, tokenized):
    options = [*write(tmp_path, form), "--tokenized", tokenized, "--output", tmp_path / "out"]
    done(corpus.main, options, capsys)
    pairs = {
        pair["id"]: pair
        for pair in map(json.loads, (tmp_path / "out/corpus.jsonl").read_text("utf-8").split("\n")[:-1])
    }
    assert set(pairs) == set(TEXTS)
    for name, (document, summary) in TEXTS.items():
        if tokenized == "false":
            joined = "\n".join(document.split(".")) if form == "jsonl of sentences" else document
            expected = given(joined, form) if "\n" not in joined else None
            assert expected in (None, pairs[name]["document"]["text"])
            check_tokens(pairs[name]["document"])
            check_tokens(pairs[name]["summary"])
        assert pairs[name]["summary"]["text"].split() == given(summary, form).split()
        tried()


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Run the commands of every stage on the texts; return the folder and the alignments."""
    folder = tmp_path_factory.mktemp("flow")

    def run(main, *options):
        main([str(option) for option in options])

    run(corpus.main, *write(folder, "jsonl"), "--output", folder / "corpus")
    gold = [
        {"id": name, "annotator": "A\t\"'", "alignments": [{"summary": [0, 1], "document": [0, 1]}]}
        for name in TEXTS
    ]
    (folder / "gold.jsonl").write_text(lines(gold))
    both = "--corpus", folder / "corpus/corpus.jsonl", "--extracts", folder / "extracts.jsonl"
    run(extract.main, *both[:2], "--output", folder / "extracts.jsonl")
    run(sentences.main, *both, "--output", folder / "shard.jsonl", "--text", folder / "sentences.txt")
    run(
        parse.main,
        "--sentences",
        folder / "shard.jsonl",
        "--store",
        folder / "store",
        "--output",
        folder / "p",
    )
    run(gather.main, "--shards", folder / "p", "--output", folder / "parse")
    trees = "--trees", folder / "parse/trees.npz"
    systems = []
    for jump in ("relative", "syntax"):
        model, made = folder / f"{jump}.npz", folder / f"{jump}.jsonl"
        options = ["--wordnet", "false", "--iterations", 1, "--model", model, "--em", folder / "em.tsv"]
        run(train.main, "--jump", jump, *both, *trees, *options)
        run(align.main, "--model", model, *both, *trees, "--output", made)
        systems.append(made)
    for baseline in (cutpaste, identity):
        systems.append(folder / f"{baseline.__name__}.jsonl")
        run(baseline.main, *both, "--output", systems[-1])
    run(statistics.main, *both, "--output", folder / "statistics.tsv")
    scored = [*both[:2], "--gold", folder / "gold.jsonl", "--alignments", *systems]
    run(analysis.main, *scored, "--output", folder / "scores")
    run(score.main, *scored, "--output", folder / "scores/scores.tsv", "--bootstrap", 100)
    run(figures.main, "--scores", folder / "scores", "--output", folder / "figures")
    shown = ["--scores", folder / "scores", "--figures", folder / "figures"]
    run(
        report.main,
        *scored,
        *shown,
        "--statistics",
        folder / "statistics.tsv",
        "--output",
        folder / "page.html",
    )
    return folder, systems


@pytest.mark.guarantee("flow")
def test_every_text_goes_through_every_stage(results, tmp_path, capsys):
    folder, systems = results
    corpus_file = folder / "corpus/corpus.jsonl"
    for path in systems:
        found = [json.loads(line) for line in path.read_text("utf-8").split("\n")[:-1]]
        assert [one["id"] for one in found] == list(TEXTS)
        output = ["--corpus", corpus_file, "--format", "jsonl", "--output", tmp_path / "out.jsonl"]
        done(export.main, ["--alignments", path, *output], capsys)
        exported = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text("utf-8").split("\n")[:-1]]
        for one, shown in zip(found, exported, strict=True):
            document, summary = TEXTS[one["id"]]
            assert (shown["document"], shown["summary"]) == (document, summary)
            for link, spans in zip(one["alignments"], shown["alignments"], strict=True):
                assert link["posterior"] is None or 0 <= link["posterior"] <= 1 + 1e-6
                check_link(one, link, "summary", summary, spans)
                check_link(one, link, "document", document, spans)
            tried()


def check_link(alignment, link, side, text, spans):
    """Check that the characters of a link are those of its tokens."""
    if link[side] is None:
        assert spans[side] is None
        return
    tokens = alignment[f"{side}_tokens"][slice(*link[side])]
    assert "".join(text[slice(*spans[side])].split()) == "".join(tokens)


@pytest.mark.guarantee("flow")
def test_scores_of_odd_texts_are_valid(results):
    folder, _ = results
    table = [line.split("\t") for line in (folder / "scores/scores.tsv").read_text().splitlines()]
    assert {row[0] for row in table[1:]} == {"semihmm-relative", "semihmm-syntax", "cutpaste", "identity"}
    assert all(0 <= float(value) <= 1 for row in table[1:] for value in row[2:7])
    assert b"<script>alert('1')" not in (folder / "page.html").read_bytes()


# Name → text of an unusable pair, and the reason in the message.
UNUSABLE = {
    "empty": ("", "empty"),
    "white space": (" \t\u00a0\u2003\n", "empty"),
    "NUL": ("A mill\0.", "NUL characters"),
    "UTF-16 in UTF-8": ("A\0 \0m\0", "NUL characters"),
    "half": ("A mill \ud83d.", r"half of a surrogate pair, \ud83d"),
    "other half": ("\ude00 A mill.", r"half of a surrogate pair, \ude00"),
    "halves in the wrong order": ("\ude00\ud83d", r"half of a surrogate pair, \ude00"),
}


@pytest.mark.guarantee("unusable")
@pytest.mark.parametrize("side", ["document", "summary"])
@pytest.mark.parametrize("name", UNUSABLE)
@pytest.mark.parametrize("wrap", [str, lambda text: [text]], ids=["text", "list"])
def test_unusable_pairs_are_listed_or_refused(made, tmp_path, capsys, side, name, wrap):
    text, reason = UNUSABLE[name]
    good = {"id": "good", "document": PLAIN, "summary": "A mill."}
    path = tmp_path / "pairs.jsonl"
    path.write_text(lines([good, good | {"id": "bad", side: wrap(text)}]))
    options = ["--reader", "jsonl", "--path", path, "--output", tmp_path / "out"]
    done(corpus.main, [*options, "--select.unusable", "drop"], capsys)
    rejected = (tmp_path / "out/rejected.tsv").read_text()
    assert rejected.startswith(f"id\treason\nbad\t{reason}") and rejected.rstrip().endswith(side)
    says = path, "line 2: pair bad: ", reason, "unusable: drop"
    refused(corpus.main, options, tmp_path, capsys, *says)
    new = ["--model", made / "relative.npz", "--corpus", path, "--output", tmp_path / "aligned"]
    refused(align.main, new, tmp_path, capsys, path, "line 2: ", reason)
