"""The files of the trial of readers, made by hand, with what the text of each must have and lack."""

import io
import zipfile
from collections.abc import Iterable
from typing import NamedTuple

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
SPACES = (
    f'xmlns:w="{W}" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:v="urn:schemas-microsoft-com:vml" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
)
RELATED = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


class File(NamedTuple):
    """A file, and what its text must have and lack; the cells of a row must be on one line.

    White space counts as one space.
    """

    name: str
    content: bytes
    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


def make_pdf(*pages: Iterable[tuple[float, float, str]], size: int = 11) -> bytes:
    """Return a PDF of pages with texts at places, in points from the left and the top.

    The characters \\1 and \\2 are the ligatures fi and fl.
    """
    kids = [f"{5 + 2 * number} 0 R" for number in range(len(pages))]
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding 4 0 R >>",
        "<< /Type /Encoding /BaseEncoding /WinAnsiEncoding /Differences [1 /fi /fl] >>",
    ]
    for number, page in enumerate(pages):
        texts = (text.replace("(", r"\(").replace(")", r"\)") for _, _, text in page)
        places = (f"1 0 0 1 {x} {780 - y} Tm" for x, y, _ in page)
        shown = "\n".join(f"{place} ({text}) Tj" for place, text in zip(places, texts, strict=True))
        stream = f"BT /F1 {size} Tf\n{shown}\nET"
        objects += [
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> "
            f"/Contents {6 + 2 * number} 0 R >>",
            f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream",
        ]
    pdf, starts = "%PDF-1.4\n", []
    for number, entry in enumerate(objects, 1):
        starts.append(len(pdf))
        pdf += f"{number} 0 obj\n{entry}\nendobj\n"
    table = "".join(f"{start:010d} 00000 n \n" for start in starts)
    size_of_table = len(objects) + 1
    pdf += f"xref\n0 {size_of_table}\n0000000000 65535 f \n{table}"
    return (
        pdf + f"trailer << /Size {size_of_table} /Root 1 0 R >>\nstartxref\n{pdf.index('xref')}\n%%EOF\n"
    ).encode("cp1252")


def lines(text: str, x: float = 60, y: float = 100) -> list[tuple[float, float, str]]:
    """Return the lines of a text at places below each other; an empty line is a smaller space."""
    placed = []
    for line in text.strip("\n").splitlines():
        if line:
            placed.append((x, y, line))
        y += 14 if line else 8
    return placed


def make_docx(body: str, **parts: str) -> bytes:
    """Return a Word document with a body, and parts such as `footnotes`, in XML."""
    names = {"document": f"<w:body>{body}</w:body>"} | parts
    types = "".join(
        f'<Override PartName="/word/{name}.xml" ContentType="application/vnd.openxmlformats-officedocument.'
        f'wordprocessingml.{name if parts.get(name) else "document.main"}+xml"/>'
        for name in names
    )
    relations = "".join(
        f'<Relationship Id="{name}" Type="{RELATED}/{name}" Target="{name}.xml"/>' for name in parts
    )
    space = 'xmlns="http://schemas.openxmlformats.org/package/2006/{}"'
    content = {
        "[Content_Types].xml": f'<Types {space.format("content-types")}><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{types}</Types>',
        "_rels/.rels": f'<Relationships {space.format("relationships")}><Relationship Id="a" '
        f'Type="{RELATED}/officeDocument" Target="word/document.xml"/></Relationships>',
        "word/_rels/document.xml.rels": f"<Relationships {space.format('relationships')}>{relations}"
        "</Relationships>",
    } | {f"word/{name}.xml": f"<w:{name} {SPACES}>{part}</w:{name}>" for name, part in names.items()}
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, text in content.items():
            archive.writestr(zipfile.ZipInfo(name), text)
    return file.getvalue()


def run(text: str) -> str:
    """Return a run of Word."""
    return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(*parts: str) -> str:
    """Return a paragraph of Word: strings without markup are runs."""
    return f"<w:p>{''.join(part if part.startswith('<') else run(part) for part in parts)}</w:p>"


def table(rows: Iterable[Iterable[str]], cell: str = "<td>{}</td>", row: str = "<tr>{}</tr>") -> str:
    """Return the rows of a table, by default in HTML."""
    return "".join(row.format("".join(map(cell.format, cells))) for cells in rows)


BOATS = (("Year", "Boats", "Crew"), ("2019", "12", "80"), ("2020", "15", "95"))
HEAD, FOOT = "Annual report of the harbour", "Orm Harbour Trust"
CRANE = "The owner of the crane that fell in May paid for a new one in the autumn of the same year."


def pdf_files() -> list[File]:
    """Return the PDFs."""
    left = """The council of Orm met in March
and named two measures. The
pump in the north dock will be
replaced before winter, and the
valve will be heated. The mayor
did not agree with the second."""
    right = """Forty ships may enter the port
in July. The divers looked at
the wreck for eleven days, and
nobody was hurt. The crane is
the property of a company in
Varde that paid for a new one."""
    columns = [*lines("Two measures for the harbour"), *lines(left, y=130), *lines(right, 310, 130)]
    cells = [(60 + 120 * k, 160 + 16 * n, cell) for n, row in enumerate(BOATS) for k, cell in enumerate(row)]
    by_column = sorted(cells)
    body = """The harbour was closed in May because a crane had fallen into the water of the
port. Divers looked at the wreck for eleven days, and in the autumn the owner of the"""
    rest = """crane paid for a new one that can lift two hundred tonnes. The harbour opened in
July and forty ships came in the first week of the month."""
    note = "1 The council of Orm has nine members, who are chosen for four years."
    cut = """The council of Orm maintained the old pump for twenty years and then or-
dered a new one from a factory in Varde. Its owner, a well-known self-
made man, offered an efficient model with a short- and long-
term plan for the main-
tenance of the pump."""
    words = "The mayor thanked the divers of the harbour.".split()
    spaced = [(60 + 7.5 * len(" ".join(words[:k])), 100, word) for k, word in enumerate(words)]
    items = """The council named two measures:

• The pump in the north dock will be replaced.
• The valve will be heated.

The mayor thanked the divers."""
    cover = [(60, 40, HEAD), (60, 300, "Orm 2021"), (60, 740, FOOT)]
    heads = [
        [(60, 40, f"{HEAD}   {number}"), *lines(text), (60, 740, FOOT)]
        for number, text in enumerate((body, rest), 2)
    ]
    return [
        File(
            "columns.pdf",
            make_pdf(columns),
            (
                "The pump in the north dock will be replaced before winter, and the valve will be heated.",
                "The crane is the property of a company in Varde that paid for a new one.",
            ),
        ),
        File(
            "table.pdf",
            make_pdf([*lines("Boats by year"), *cells, *lines("The crew grew.", y=230)]),
            rows=BOATS,
        ),
        File("table-by-column.pdf", make_pdf(by_column), rows=BOATS),
        File("footnote.pdf", make_pdf([*lines(body), *lines(note, y=700)]), ("the water of the port.", note)),
        File(
            "pages.pdf",
            make_pdf(*heads),
            ("in the autumn the owner of the crane paid for a new one",),
        ),
        File(
            "cover.pdf",
            make_pdf(cover, *heads),
            ("in the autumn the owner of the crane paid for a new one", "Orm 2021"),
        ),
        File(
            "hyphens.pdf",
            make_pdf(lines(cut)),
            (
                "then ordered a new one",
                "well-known self-made man",
                "short- and long-term plan for the maintenance of",
            ),
        ),
        File(
            "ligatures.pdf",
            make_pdf(lines("The of\1ce of the harbour \2oods in May.")),
            ("The office of the harbour floods in May.",),
        ),
        File("spaces.pdf", make_pdf(spaced), (" ".join(words),)),
        File(
            "list.pdf",
            make_pdf(lines(items)),
            ("The pump in the north dock will be replaced.", "The valve will be heated."),
        ),
    ]


def word_files() -> list[File]:
    """Return the Word documents."""
    begin, separate, end = (
        f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>' for kind in ("begin", "separate", "end")
    )
    code = '<w:r><w:instrText xml:space="preserve"> REF crane \\h </w:instrText></w:r>'
    simple = f'<w:fldSimple w:instr=" DATE ">{run("3 March 2021")}</w:fldSimple>'
    deleted = '<w:del w:id="1" w:author="a"><w:r><w:delText>May</w:delText></w:r></w:del>'
    inserted = f'<w:ins w:id="2" w:author="a">{run("June")}</w:ins>'
    moved = [
        f'<w:{kind} w:id="3" w:author="a">{run("in Varde ")}</w:{kind}>' for kind in ("moveFrom", "moveTo")
    ]
    cell = "<w:tc>{}</w:tc>"
    rows = table(([paragraph(cell) for cell in row] for row in BOATS), cell, "<w:tr>{}</w:tr>")
    listed = '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>{}</w:p>'
    note = '<w:r><w:footnoteReference w:id="2"/></w:r>'
    notes = f'<w:footnote w:id="2">{paragraph("The council has nine members.")}</w:footnote>'
    one, two = (f"<m:r><m:t>{number}</m:t></m:r>" for number in "12")
    equation = f"<m:oMath><m:f><m:num>{one}</m:num><m:den>{two}</m:den></m:f></m:oMath>"
    box = f"<w:txbxContent>{paragraph('The mayor thanked the divers.')}</w:txbxContent>"
    shape = (
        f'<mc:Choice Requires="wps"><w:drawing><wps:txbx>{box}</wps:txbx></w:drawing></mc:Choice>'
        f"<mc:Fallback><w:pict><v:textbox>{box}</v:textbox></w:pict></mc:Fallback>"
    )
    shape = f"<w:r><mc:AlternateContent>{shape}</mc:AlternateContent></w:r>"
    control = f"<w:sdt><w:sdtContent>{paragraph('The form names Anna Vogel.')}</w:sdtContent></w:sdt>"
    return [
        File(
            "fields.docx",
            make_docx(
                paragraph("The treaty was signed on ", simple, " in Orm.")
                + paragraph("The owner of ", begin, code, separate, "the crane", end, " paid for it.")
            ),
            ("signed on 3 March 2021 in Orm", "The owner of the crane paid for it."),
            ("REF",),
        ),
        File(
            "changes.docx",
            make_docx(
                paragraph("The harbour closed in ", deleted, inserted, ".")
                + paragraph("A factory ", moved[0], "sold the pump ", moved[1], "to the town.")
            ),
            ("The harbour closed in June.", "A factory sold the pump in Varde to the town."),
            ("May",),
        ),
        File(
            "table.docx",
            make_docx(paragraph("Boats by year:") + f"<w:tbl>{rows}</w:tbl>" + paragraph("The crew grew.")),
            ("The crew grew.",),
            rows=BOATS,
        ),
        File(
            "list.docx",
            make_docx(listed.format(run("The pump is old.")) + listed.format(run("The valve is new."))),
            ("The pump is old.", "The valve is new."),
        ),
        File(
            "footnote.docx",
            make_docx(paragraph("The council", note, " met in March."), footnotes=notes),
            ("met in March.", "The council has nine members."),
        ),
        File(
            "equation.docx",
            make_docx(paragraph("The town paid ", equation, " of the price.")),
            ("The town paid 1/2 of the price.",),
        ),
        File(
            "box.docx",
            make_docx(paragraph("The crane ", shape, "fell in May.") + control),
            ("The crane fell in May.", "The mayor thanked the divers.", "The form names Anna Vogel."),
        ),
    ]


def html(body: str, head: str = "", encoding: str = "utf-8") -> bytes:
    """Return an HTML page."""
    page = f"<!doctype html><html><head>{head}<title>Orm</title></head><body>{body}</body></html>"
    return page.encode(encoding)


def html_files() -> list[File]:
    """Return the HTML pages."""
    links = "<ul><li><a href=/>Front page</a></li><li><a href=/a>Archive</a></li></ul>"
    two = "The pump in the north dock will be replaced.", "The valve will be heated."
    items = f"<ul><li>{two[0]}</li><li>{two[1]}</li></ul>"
    footer = "<footer>Imprint</footer>"
    article = f"<h1>The crane</h1><p>{CRANE}</p><p>Forty ships came, and the divers were thanked.</p>{items}"
    related = '<aside class="related"><h3>Related</h3><ul><li><a href=/b>Fog over Varde</a></li></ul></aside>'
    cookies = (
        '<div id="cookie-banner" class="cookie-consent"><p>We use cookies.</p><button>Accept</button></div>'
    )
    fare = "Die Fähre nach Sünd fährt wieder – sie kostet 5 €."
    cells = table([[f"<p>{cell}</p>" for cell in row] for row in BOATS])
    other = f"<blockquote>{CRANE}</blockquote><dl><dt>Crane</dt><dd>A tall machine.</dd></dl>"
    return [
        File("list.html", html(f"<nav>{links}</nav><main>{items}</main>{footer}"), two, ("Front", "Imprint")),
        File("only-list.html", f"<html><body>{items}</body></html>".encode(), two),
        File("table.html", html(f"<h1>Boats</h1><table>{table(BOATS)}</table>"), rows=BOATS),
        File("table-of-paragraphs.html", html(f"<p>Boats</p><table>{cells}</table>"), rows=BOATS),
        File("utf-16.html", html(f"<p>{fare}</p>", encoding="utf-16"), (fare,), ("<p>", "html")),
        File("utf-16-be.html", html(f"<p>{fare}</p>", encoding="utf-16-be"), (fare,), ("<p>", "html")),
        File("windows.html", html(f"<p>{fare}</p>", "<meta charset=windows-1252>", "cp1252"), (fare,)),
        File(
            "article.html",
            html(f"{cookies}<nav>{links}</nav><article>{article}</article>{related}{footer}"),
            (CRANE, *two),
            ("cookies", "Archive", "Fog over Varde", "Imprint"),
        ),
        File(
            "divisions.html",
            html(f'<div class="menu">{links}</div><div id=content>{article}</div>'),
            (CRANE, *two),
            ("Front page",),
        ),
        File("quotation.html", html(f"<p>The mayor said:</p>{other}"), (CRANE, "A tall machine.")),
    ]
