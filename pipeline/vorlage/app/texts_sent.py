"""The documents and the text of a request, as the form of the app sends them."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import python_multipart  # noqa: F401 - without it, Starlette would fail when the first form is read
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request

from vorlage.app.security import MOST_BYTES
from vorlage.command.errors import InputError, one_line
from vorlage.documents import extract_text

MOST_FILES = 100
MOST_CHARACTERS = 1_000_000  # of the documents and the text together
PASTED = "pasted text"


class Part(NamedTuple):
    """A text of a form: the name of its file, empty for one that was pasted, and its content."""

    name: str
    content: bytes


class Sent(NamedTuple):
    """The `documents` and the `text` of a request, not yet extracted, and the `title` of the answer."""

    documents: list[Part]
    text: Part
    title: str

    def extract(self) -> tuple[str | Mapping[str, str], str]:
        """Return the documents, by name if there are several, and the text.

        Raise `InputError` for a part without text, and for texts that are too long.
        """
        text = _extract(self.text)
        names = _distinct([part.name or PASTED for part in self.documents])
        documents = {name: _extract(part) for name, part in zip(names, self.documents, strict=True)}
        length = len(text) + sum(map(len, documents.values()))
        if length > MOST_CHARACTERS:
            raise InputError(
                f"the texts have {length:,} characters, more than {MOST_CHARACTERS:,}; send a part of them"
            )
        return next(iter(documents.values())) if len(documents) == 1 else documents, text


async def read_form(request: Request) -> Sent:
    """Return what a form holds: `document` once or more, and `text` once, as fields or as files.

    The title is the field of that name, or else the name of the text's file. Raise `HTTPException`
    (400) for another form.
    """
    _, sent = await read_files(request)
    if sent is None:
        raise HTTPException(400, "Give a document and a text.")
    return sent


async def read_files(request: Request) -> tuple[list[Part], Sent | None]:
    """Return every `file` of a form, and its texts as `read_form` does, None if it has none."""
    async with request.form(max_files=MOST_FILES, max_fields=MOST_FILES, max_part_size=MOST_BYTES) as form:
        files, documents, texts = [await _parts(form, key) for key in ("file", "document", "text")]
        title = form.get("title")
    if not documents or len(texts) != 1:
        return files, None
    given = title if isinstance(title, str) and title.strip() else texts[0].name or PASTED
    return files, Sent(documents, texts[0], one_line(given))


async def _parts(form: FormData, key: str) -> list[Part]:
    parts = []
    for value in form.getlist(key):
        if isinstance(value, UploadFile):
            parts.append(Part(value.filename or "", await value.read()))
        else:  # line breaks of a form are CR LF
            parts.append(Part("", value.replace("\r\n", "\n").encode()))
    return parts


def _extract(part: Part) -> str:
    return extract_text(part.name or "the pasted text", part.content)


def _distinct(names: Sequence[str]) -> list[str]:
    """Return the names, with a number for each that comes again."""
    distinct: list[str] = []
    for name in names:
        number, base = 2, name
        while name in distinct:
            name, number = f"{base} ({number})", number + 1
        distinct.append(name)
    return distinct
