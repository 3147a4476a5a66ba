"""Reads the text of a mail below its subject."""

from email import message_from_bytes, policy


def read_pages(content: bytes) -> list[str]:
    """Return the subject and the text of the mail: that of its plain part or, without one, of its HTML."""
    mail = message_from_bytes(content, policy=policy.default)
    body = mail.get_body(("plain", "html"))
    if body is None:
        raise ValueError("no text in this mail")
    text = body.get_content()
    if body.get_content_subtype() == "html":
        from vorlage.documents.isolated import html

        [text] = html.read_pages(text.encode())
    return [f"{mail['Subject'] or ''}\n\n{text}"]
