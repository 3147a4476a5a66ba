"""The Ziff-Davis part of TIPSTER: SGML."""

from fuzz.corpora import SENTENCES, check_corpus
from fuzz.mutators import pieces
from fuzz.target import Target, put


def check(data):
    """Read a file as the corpus stage does."""
    check_corpus("ziffdavis", put("ziff.sgml", data))


def seeds():
    """Return both orders of the elements, entities, comments, paragraphs, and bytes that are not UTF-8."""
    first, second, third = SENTENCES
    document = f"""<DOC>
<DOCNO> ZF1-01 </DOCNO>
<TITLE>Left out.</TITLE>
<SUMMARY>
AT&amp;T cuts prices; {first}
</SUMMARY>
<TEXT>
   {second}<!-- not
shown --> with <HI>markup</HI>.<P>
{third} 5&percnt; &M;

Last.
</TEXT>
</DOC>
"""
    inside = (
        f"<doc><docno>2</docno><text>One. <summary>{first}</summary></text><text>3 < 4.</text></doc>".encode()
    )
    return [document.encode(), document.encode() + inside, inside, b"\xe9" + inside]


TARGET = Target((check,), seeds, pieces)
