"""XML that declares entities, nests deeply or is malformed."""

import pytest
from hostile_runs import done, refused

from pipeline.corpus import __main__ as corpus

LAUGHS = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))
DTD = "XML with a DTD is not read"
PAPERS = {
    "entity bomb": (f'<!DOCTYPE P [<!ENTITY l0 "ha">{LAUGHS}]><P><S>&l9;</S></P>', DTD),
    "quadratic bomb": (f'<!DOCTYPE P [<!ENTITY a "{"a" * 99_999}">]><P><S>{"&a;" * 9999}</S></P>', DTD),
    "file": ('<!DOCTYPE P [<!ENTITY f SYSTEM "file:///etc/passwd">]><P><S>&f;</S></P>', DTD),
    "address": ('<!DOCTYPE P [<!ENTITY f SYSTEM "http://127.0.0.1:9/">]><P><S>&f;</S></P>', DTD),
    "parameter": ('<!DOCTYPE P [<!ENTITY % f SYSTEM "file:///etc/passwd"> %f;]><P/>', DTD),
    "external DTD": ('<!DOCTYPE P SYSTEM "file:///etc/passwd"><P><S>a</S></P>', DTD),
    "empty DTD": ("<!DOCTYPE P><P><S>a</S></P>", DTD),
    "unknown entity": ("<P><S>&nbsp;</S></P>", "not well-formed XML"),
    "sentences in sentences": ("<P>" + "<S>a" * 100_000 + "</S>" * 100_000 + "</P>", "has <S> inside <S>"),
    "open": ("<P>" * 100_000, "not well-formed XML"),
    "surrogate": ("<P><S>&#xD800;</S></P>", "not well-formed XML"),
    "NUL": ("<P><S>\0</S></P>", "not well-formed XML"),
    "empty": ("", "not well-formed XML"),
    "unknown encoding": ('<?xml version="1.0" encoding="bogus"?><P/>', "not well-formed XML"),
    "encoding of bytes": ('<?xml version="1.0" encoding="hex"?><P/>', "not well-formed XML"),
    "wide encoding": ('<?xml version="1.0" encoding="utf-7"?><P/>', "not well-formed XML"),
    "not UTF-8": (b"<P><S>caf\xe9</S></P>", "not well-formed XML"),
}
BODY = '<PAPER><S sid="0">Title</S>{}</PAPER>'


def paper(folder, xml):
    for name, text in (("Documents_xml/a.xml", xml), ("summary/a.gold.txt", "Title\nA mill.")):
        path = folder / "corpus/a" / name
        path.parent.mkdir(parents=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return ["--reader", "scisummnet", "--path", folder / "corpus", "--output", folder / "out"]


@pytest.mark.guarantee("XML")
@pytest.mark.parametrize("name", PAPERS)
def test_unsafe_and_malformed_xml_is_refused(tmp_path, capsys, name):
    xml, says = PAPERS[name]
    line = refused(corpus.main, paper(tmp_path, xml), tmp_path, capsys, "a/Documents_xml/a.xml", says)
    assert "root:" not in line


@pytest.mark.guarantee("XML")
@pytest.mark.parametrize(
    "xml",
    [
        BODY.format("<D>" * 100_000 + '<S ssid="1">A mill.</S>' + "</D>" * 100_000),
        BODY.format('<S ssid="1"><![CDATA[A mill.]]></S>'),
        BODY.format('<?php exit ?><!-- <S ssid="1">no</S> --><S ssid="1">A mill.</S>'),
        "\ufeff" + BODY.format('<S ssid="1">A &#109;ill.</S>'),
        ('<?xml version="1.0" encoding="UTF-16"?>' + BODY.format('<S ssid="1">A mill.</S>')).encode("utf-16"),
    ],
    ids=["deep", "CDATA", "comment", "mark", "UTF-16"],
)
def test_valid_xml_is_read(tmp_path, capsys, xml):
    done(corpus.main, paper(tmp_path, xml), capsys)
    assert '"document": {"text": "A mill."' in (tmp_path / "out/corpus.jsonl").read_text()
