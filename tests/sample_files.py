"""A PDF, a Word document and an HTML page, written by hand."""

import io
import zipfile

import pypdf


def make_pdf(lines, pages=1):
    """A PDF of so many equal pages with these lines of text, written by hand."""
    text = " ".join(f"({line}) Tj T*" for line in lines)
    return draw_pdf(f"BT /F1 12 Tf 72 720 Td 14 TL {text} ET", pages)


def draw_pdf(operations, pages=1):
    """A PDF of so many equal pages that these operations draw."""
    content = operations.encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [%s] /Count %d >>" % (b"3 0 R " * pages, pages),
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    pdf, places = b"%PDF-1.4\n", []
    for number, entry in enumerate(objects, 1):
        places.append(len(pdf))
        pdf += b"%d 0 obj\n%s\nendobj\n" % (number, entry)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"trailer << /Size 6 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % len(pdf)
    return pdf + b"xref\n0 6\n0000000000 65535 f \n" + table + end


def join_pdfs(*pdfs):
    """A PDF with the pages of others."""
    writer, joined = pypdf.PdfWriter(), io.BytesIO()
    for pdf in pdfs:
        writer.append(io.BytesIO(pdf))
    writer.write(joined)
    return joined.getvalue()


def make_zip(*names, content="x"):
    """A zip archive with entries of these names and this content."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in names:
            archive.writestr(name, content)
    return file.getvalue()


def make_docx(body):
    """A Word document with this body, in its XML."""
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    document = f'<w:document xmlns:w="{space}"><w:body>{body}</w:body></w:document>'
    return make_zip("word/document.xml", content=document)


PAGE = """<!doctype html><html><head><title>News</title><script>let a = "of a script";</script></head><body>
<nav><a href="/">Home</a> <a href="/a">Archive</a></nav>
<article><h1>Storm closes harbour</h1>
<p>The harbour of S\u00fcnd was closed on Friday because of a storm &amp; its waves.</p>
<p>Ferries sail again on Monday, the company said in a statement that evening.</p></article>
<footer>Copyright</footer></body></html>"""
