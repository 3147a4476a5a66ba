"""The reader of ScisummNet on papers written in its layouts, and on the release itself."""

import json
from pathlib import Path

import pytest
from vorlage.command.errors import InputError
from vorlage.documents.pair import read_pairs
from vorlage.settings import Corpus, validate
from vorlage.workflow.readers.paper_xml import CUT, LONGEST, LOST, NESTED, read_paper
from vorlage.workflow.readers.registry import read
from vorlage.workflow.readers.scisummnet import CITANCES
from vorlage.workflow.stages.corpus import main

SCISUMMNET = Path(__file__).parents[3] / "shared" / "data" / "scisummnet_release1.1__20190413"
real = pytest.mark.skipif(not SCISUMMNET.exists(), reason=f"{SCISUMMNET} does not exist")

PAPER = """\
<PAPER>
  <S sid="0">The Title</S>
  <ABSTRACT>
    <S sid="1" ssid="1">We do &amp;quot;it&amp;quot; &amp; more.</S>
    <S sid="2" ssid="2"> </S>
  </ABSTRACT>
  <SECTION title="1  Introduction &amp;amp; aims" number="1">
    <S sid="3" ssid="1">It is 1 &lt; 2, AT&amp;T&#8217;s way.</S>
    <SUBSECTION>1.1 Heading</SUBSECTION>
    <S sid="4" ssid="2">Na&#239;ve? Yes.</S>
    <S sid="5" ssid="3"/>
  </SECTION>
</PAPER>
"""
LAYOUTS = {
    "release": ("Documents_xml/{}.xml", "summary/{}.gold.txt"),
    "shared task": ("Reference_XML/{}.xml", "summary/{}.scisummnet_human.txt"),
}
HUMAN = "The Title\nWe do &rsquo;it&rsquo;.\n\nA whole abstract. On one line.\n"
BODY = ["It is 1 < 2, AT&T\u2019s way.", "Na\u00efve? Yes."]
SECTION = (0, "1 Introduction & aims")
ABSTRACT = 'We do "it" & more.'


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def paper(folder, name, xml=PAPER, human=HUMAN, layout="release", citances=None):
    for pattern, text in zip(LAYOUTS[layout], (xml, human), strict=True):
        if text is not None:
            write(folder / name / pattern.format(name), text)
    if citances is not None:
        write(folder / name / CITANCES, citances if isinstance(citances, str) else json.dumps(citances))


def found(folder, **settings):
    """The records of a folder."""
    corpus = {"name": "corpus", "reader": "scisummnet", "path": str(folder)}
    return list(read(validate(Corpus, corpus | settings)))


def sides(folder, **settings):
    """The id, document and summary of each record."""
    return [(record.id, record.document, record.summary) for record in found(folder, **settings)]


def fails(folder, **settings):
    """The message of the error that the reader raises."""
    with pytest.raises(InputError) as error:
        found(folder, **settings)
    return str(error.value)


def run(folder, output, **settings):
    """Run the stage on a folder."""
    options = [f"--{name}={value}" for name, value in settings.items()]
    main(["--reader=scisummnet", f"--path={folder}", f"--output={output}", *options])


def tagged(name, *sentences, **attributes):
    """An element with sentences in it; those that are elements already stay as they are."""
    content = "".join(s if s.startswith("<") else f'<S ssid="1">{s}</S>' for s in sentences)
    given = "".join(f' {key}="{value}"' for key, value in attributes.items())
    return f"<{name}{given}>{content}</{name}>"


def text_of(folder, *parts):
    """The text of a paper with a title and these parts."""
    write(folder / "paper.xml", f'<PAPER><S sid="0">T</S>{"".join(parts)}</PAPER>')
    return read_paper(folder / "paper.xml")


@pytest.mark.parametrize(("layout", "below"), [("release", "top1000_complete"), ("shared task", "")])
def test_both_layouts(tmp_path, layout, below):
    for name in ("P02-1", "A01-1"):
        paper(tmp_path / below, name, layout=layout)
    human = "We do \u2019it\u2019.\nA whole abstract. On one line."
    assert sides(tmp_path) == [(name, BODY, human) for name in ("A01-1", "P02-1")]
    abstracts = sides(tmp_path, summary="abstract")
    assert abstracts == [(name, BODY, [ABSTRACT]) for name in ("A01-1", "P02-1")]


def test_papers_without_an_abstract(tmp_path):
    paper(tmp_path, "empty", '<PAPER><S sid="0">T</S><ABSTRACT/><SECTION><S ssid="1">b</S></SECTION></PAPER>')
    paper(tmp_path, "flat", '<PAPER><S sid="0" ssid="0">T and</S><S sid="1" ssid="1">all</S></PAPER>')
    assert sides(tmp_path, summary="abstract") == [("empty", ["b"], []), ("flat", ["T and", "all"], None)]
    assert sides(tmp_path, abstract="in") == sides(tmp_path)


@pytest.mark.parametrize(
    ("xml", "message"),
    [
        ("<PAPER>\n<S>x</PAPER>", "not well-formed XML (mismatched tag: line 2"),
        ('<!DOCTYPE P [<!ENTITY e "e">]><P>&e;</P>', "XML with a DTD is not read"),
    ],
)
def test_errors_name_the_paper(tmp_path, xml, message):
    paper(tmp_path, "a", xml)
    assert fails(tmp_path).startswith(f"{tmp_path}/a/Documents_xml/a.xml: {message}")


def test_an_abstract_that_the_body_repeats_is_not_added(tmp_path):
    def document(*body):
        paper(tmp_path, "a", f"<P>{tagged('ABSTRACT', 'a', 'b')}{tagged('SECTION', *body)}</P>")
        return found(tmp_path, abstract="in")[0].document

    assert document("a", "b", "c") == ["a", "b", "c"]
    assert document("a", "c") == ["a", "b", "a", "c"]


def test_sections_are_kept_in_the_file_of_the_corpus(tmp_path):
    paper(tmp_path / "papers", "a")
    paper(tmp_path / "papers", "b", '<PAPER><S ssid="1">All.</S></PAPER>')
    run(tmp_path / "papers", tmp_path / "out")
    first, second = read_pairs(tmp_path / "out" / "corpus.jsonl")
    assert first.document.sections == (SECTION,) and second.document.sections == ()
    assert first.summary.sections == ()


OWN = ["We bake bread.", "It rises."]
OPENING = "Bread has been baked in ovens for ages."
REST = [f"Loaf {number} of the day went to the shop." for number in range(LONGEST)]


FIRST = tagged("SECTION", OPENING, *REST, title="1 Ovens")
SAME = "We bake bread, and it always rises well."


@pytest.mark.parametrize(
    ("parts", "abstract", "note"),
    [
        # It is cut where the first section begins; one that repeats the abstract is passed over.
        ([tagged("ABSTRACT", *OWN, f"1 Ovens {OPENING.upper()}", *REST), FIRST], OWN, CUT),
        ([tagged("ABSTRACT", SAME, OPENING, *REST), tagged("SECTION", SAME), FIRST], [SAME], CUT),
        # The second section begins in it, but not the first: it begins in the middle of the paper.
        (
            [tagged("ABSTRACT", "Sold out.", OPENING, *REST), tagged("SECTION", "A short trade."), FIRST],
            None,
            LOST,
        ),
        # Fewer words than an opening has may be anywhere.
        ([tagged("ABSTRACT", *OWN, *REST), tagged("SECTION", "Loaf 3 of.")], None, LOST),
        # One that is not too long stays, whatever it holds.
        ([tagged("ABSTRACT", *OWN, OPENING, *REST[3:]), FIRST], [*OWN, OPENING, *REST[3:]], ""),
    ],
)
def test_text_of_the_paper_in_the_abstract(tmp_path, parts, abstract, note):
    text = text_of(tmp_path, *parts)
    assert (text.abstract, text.note) == (abstract, note)


@pytest.mark.parametrize(
    ("parts", "body", "sections", "note"),
    [
        # A section begins at its first sentence.
        (
            [
                tagged("SECTION", "b", "c", title=""),
                tagged("SECTION", " ", title="1 Empty"),
                tagged("SECTION", " ", "d", tagged("SUBSECTION", "e"), title=" 2\n Two &amp;lt; "),
                tagged("SECTION", title="3 At the end"),
            ],
            ["b", "c", "d", "e"],
            ((0, ""), (2, "2 Two <")),
            "",
        ),
        # Sections inside the abstract are the body.
        (
            [tagged("ABSTRACT", "a", tagged("SECTION", "b", title="1 One"), "c")]
            + [tagged("SECTION", "d", title="2 Two")],
            ["b", "c", "d"],
            ((0, "1 One"), (2, "2 Two")),
            NESTED,
        ),
    ],
)
def test_sections_of_the_body(tmp_path, parts, body, sections, note):
    text = text_of(tmp_path, *parts)
    assert (text.body, text.sections, text.note) == (body, sections, note)


def test_what_was_decided_is_in_the_log_once(tmp_path):
    xml = f"<P>{tagged('ABSTRACT', *REST, OPENING)}{tagged('SECTION', *OWN)}</P>"
    for name in ("a", "b"):
        paper(tmp_path / "papers", name, xml, citances=[citance(1), citance(2)])
    for summary, count, names in (("human", 2, "a, b"), ("citances", 4, "a-c1, b-c1")):
        run(tmp_path / "papers", tmp_path / "out", summary=summary, log=tmp_path / "log")
        notes = [line for line in (tmp_path / "log").read_text().splitlines() if "ABSTRACT" in line]
        assert [note.split(maxsplit=1)[1] for note in notes] == [f"{LOST}: 2 of {count} pairs ({names})"]


def citance(number, clean="Bread rises (Miller, 1999).", **fields):
    """A citance in the layout of the release."""
    return {
        **{"citance_No": number, "citing_paper_id": "X00-0001", "citing_paper_authority": 3},
        **{"citing_paper_authors": "Ada, Baker", "raw_text": "bread rises", "clean_text": clean},
        **{"keep_for_gold": 0},
        **fields,
    }


def test_each_citance_is_a_pair(tmp_path):
    blank = citance(7, " ", raw_text=" Raw &amp; text.\n")
    raw = {key: value for key, value in citance(2).items() if key != "clean_text"}
    paper(tmp_path, "a", citances=[citance(1), blank, raw])
    paper(tmp_path, "b", human=None, citances=[])
    paper(tmp_path, "c")
    assert sides(tmp_path, summary="citances") == [
        ("a-c1", BODY, "Bread rises (Miller, 1999)."),
        ("a-c7", BODY, "Raw & text."),
        ("a-c2", BODY, "bread rises"),
        ("b", BODY, None),
        ("c", BODY, None),
    ]
    with_abstract = found(tmp_path, summary="citances", abstract="in")
    assert [record.document for record in with_abstract] == [[ABSTRACT, *BODY]] * 5
    assert [record.problem for record in with_abstract[2:]] == [None, "no summary", "no summary"]


@pytest.mark.parametrize(
    ("citances", "message"),
    [
        ("[{", ": not valid JSON ("),
        ([{"clean_text": "a"}], ": `0.citance_No` is missing"),
    ],
)
def test_citances_in_another_layout_are_named(tmp_path, citances, message):
    paper(tmp_path, "a", citances=citances)
    error = fails(tmp_path, summary="citances")
    assert error.startswith(f"{tmp_path}/a/{CITANCES}{message}") and "\n" not in error
    assert len(found(tmp_path)) == 1  # they are not read for another summary


def test_a_copy_of_the_release_without_citances_is_refused(tmp_path):
    paper(tmp_path, "a")
    assert fails(tmp_path, summary="citances").startswith(f"{tmp_path}: no paper has {CITANCES}, which some")


@real
def test_real_papers():
    release = {record.id: record for record in found(SCISUMMNET)}
    abstracts = {record.id: record.summary for record in found(SCISUMMNET, summary="abstract")}
    document, summary = release["A00-1031"].document, release["A00-1031"].summary
    assert document[0].startswith("A large number of current language processing systems")
    assert abstracts["A00-1031"][0] == summary.splitlines()[0]
    assert release["A00-1031"].sections[:2] == ((0, "1 Introduction"), (21, "2 Architecture"))
    # No structure at all; sections inside ABSTRACT; an empty ABSTRACT; a human summary that is only a title.
    assert abstracts["C00-1044"] is None
    assert len(release["C92-2066"].document) == 246
    assert abstracts["J03-3001"] == [] and release["J93-2004"].summary == ""
    # Abstracts that run on into the paper.
    notes = [record.note for record in release.values()]
    assert (notes.count(CUT), notes.count(LOST), notes.count(NESTED)) == (8, 37, 1)
    assert abstracts["A92-1018"][-1].startswith("Three applications") and abstracts["A00-1043"] is None
    assert max(map(len, filter(None, abstracts.values()))) == LONGEST
    # The abstract in the document, except where the first section is the abstract.
    inside = {record.id: record.document for record in found(SCISUMMNET, abstract="in")}
    added = [name for name, record in release.items() if inside[name] != record.document]
    assert len(added) == 762 and "J01-2002" not in added
    assert all(inside[name][-len(release[name].document) :] == release[name].document for name in added)
