"""ScisummNet: a paper in XML and its human summary."""

from functools import partial

from fuzz.corpora import SENTENCES, check_corpus, halves
from fuzz.mutators import pieces
from fuzz.target import FOLDER, Target, put


def check(summary, data):
    """Read a folder with one paper; ``summary``: which summary to read, human or abstract."""
    xml, human = halves(data)
    put("papers/A00-1/Documents_xml/A00-1.xml", xml)
    put("papers/A00-1/summary/A00-1.gold.txt", human)
    check_corpus("scisummnet", FOLDER / "papers", summary=summary)


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
    summary = f"\n--8<--\nA Printer\n{first}\n{third}\n"
    bomb = '<!DOCTYPE PAPER [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><PAPER><S ssid="1">&b;</S></PAPER>'
    return [(text + summary).encode() for text in (paper, plain, bomb)] + [latin + summary.encode()]


TARGET = Target((partial(check, "human"), partial(check, "abstract")), seeds, pieces)
