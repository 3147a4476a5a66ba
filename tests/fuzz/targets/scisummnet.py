"""ScisummNet: a paper in XML, its human summary and the sentences that cite it."""

import json
from functools import partial

from fuzz.corpora import SENTENCES, check_corpus, halves
from fuzz.mutators import json_lines, pieces
from fuzz.target import FOLDER, Target, put
from pipeline.corpus.readers.citances import CITANCES

MARK = b"\n--8<--\n"


def check(summary, abstract, data):
    """Read a folder with one paper; ``summary`` and ``abstract``: the settings of these names."""
    xml, rest = halves(data)
    human, citances = halves(rest)
    put("papers/A00-1/Documents_xml/A00-1.xml", xml)
    put("papers/A00-1/summary/A00-1.gold.txt", human)
    put(f"papers/A00-1/{CITANCES}", citances)
    check_corpus("scisummnet", FOLDER / "papers", summary=summary, abstract=abstract)


def seeds():
    """Return a paper as in the release, one without structure from a converter, and declarations."""
    first, second, third = SENTENCES
    paper = f"""<?xml version="1.0" encoding="UTF-8"?>
<PAPER>
 <S sid="0">A Printer</S>
 <ABSTRACT><S sid="1" ssid="1">{first}</S><S sid="2" ssid="2">Caf&#233; &amp;quot;x&amp;quot;.</S></ABSTRACT>
 <SECTION title="Introduction"><S sid="3" ssid="1">{second}</S><S sid="4" ssid="2">{third}</S></SECTION>
</PAPER>
"""
    plain = f"<PAPER><S sid='0'>{first}</S><S>{second}</S></PAPER>"
    latin = '<?xml version="1.0" encoding="iso-8859-1"?><PAPER><S sid="0">caf\u00e9</S></PAPER>'.encode(
        "latin-1"
    )
    copy = "".join(f'<S ssid="1">{sentence}</S>' for sentence in (first, third) * 5)
    swallowed = f"""<PAPER><S sid="0">A Printer</S>
 <ABSTRACT><S sid="1" ssid="1">It prints.</S>{copy}<S ssid="2">{second}</S>{copy}</ABSTRACT>
 <SECTION title=""><S ssid="1">{second}</S></SECTION>
 <SECTION title="2 &amp;amp;quot;Use&amp;amp;quot;"><S ssid="1"> </S></SECTION>
 <SECTION title="3"><S ssid="1">{first}</S></SECTION>
</PAPER>
"""
    citances = [
        {"citance_No": 1, "citing_paper_id": "B00-1", "citing_paper_authority": 2, "keep_for_gold": 0}
        | {"citing_paper_authors": "A, B | C, D", "raw_text": second, "clean_text": first},
        {"citance_No": 2, "raw_text": third, "clean_text": " "},
    ]
    summary = f"\n--8<--\nA Printer\n{first}\n{third}\n\n--8<--\n{json.dumps(citances)}"
    bomb = '<!DOCTYPE PAPER [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><PAPER><S ssid="1">&b;</S></PAPER>'
    papers = (paper, plain, swallowed, bomb)
    return [(text + summary).encode() for text in papers] + [latin + summary.encode()]


def mutate(data, random):
    """Change the XML and the human summary, or the citances."""
    texts, mark, citances = data.rpartition(MARK)
    if random.random() < 0.3:
        return texts + mark + json_lines(citances, random)
    return pieces(texts, random) + mark + citances


CHECKS = (("human", "out"), ("human", "in"), ("abstract", "out"), ("citances", "out"))
TARGET = Target(tuple(partial(check, *settings) for settings in CHECKS), seeds, mutate)
