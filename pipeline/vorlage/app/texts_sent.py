"""The documents and the text of a request, as the form of the app sends them."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import python_multipart  # noqa: F401 - without it, Starlette would fail when the first form is read
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request

from vorlage.command.errors import InputError, one_line
from vorlage.documents import check_order, extract_text

MAX_BYTES = 32 << 20  # of the body of a request
MAX_FILES = 100
MAX_CHARACTERS = 1_000_000  # of the documents and the text together
PASTED = "pasted text"


class SentText(NamedTuple):
    """A text of a form: the name of its file, empty for one that was pasted, and its content."""

    name: str
    content: bytes

    def extract(self, say: Callable[[str], object]) -> str:
        """Return the text; raise `InputError` if it cannot be used. `say`: as for `extract_text`."""
        return extract_text(self.name or f"the {PASTED}", self.content, say)


class Sent(NamedTuple):
    """The `documents` and the `text` of a request, not yet extracted, and the `title` of the answer."""

    documents: list[SentText]
    text: SentText
    title: str

    def extract(self, say: Callable[[str], object]) -> tuple[str | Mapping[str, str], str]:
        """Return the documents, by name if there are several, and the text.

        Raise `InputError` for a part without text, and for texts that are too long. `say`: as for
        `vorlage.documents.extract_text`.
        """
        text = self.text.extract(say)
        documents: dict[str, str] = {}
        for part in self.documents:
            name, number = part.name or PASTED, 2
            while name in documents:
                name, number = f"{part.name or PASTED} ({number})", number + 1
            documents[name] = part.extract(say)
        length = len(text) + sum(map(len, documents.values()))
        if length > MAX_CHARACTERS:
            raise InputError(
                f"the texts have {length:,} characters, more than {MAX_CHARACTERS:,}; send a part of them"
            )
        check_order(documents.values(), text, say)
        return documents.popitem()[1] if len(documents) == 1 else documents, text


async def read_form(request: Request) -> Sent:
    """Return what a form holds: `document` once or more, and `text` once, as fields or as files.

    The title is the field of that name, or else the name of the text's file. Raise `HTTPException`
    (400) for another form.
    """
    async with request.form(max_files=MAX_FILES, max_fields=MAX_FILES, max_part_size=MAX_BYTES) as form:
        documents, texts = [await _parts(form, key) for key in ("document", "text")]
        title = form.get("title")
    if not documents or len(texts) != 1:
        raise HTTPException(400, "Give a document and a text.")
    is_named = isinstance(title, str) and title.strip()
    return Sent(documents, texts[0], one_line(str(title) if is_named else texts[0].name or PASTED))


async def _parts(form: FormData, key: str) -> list[SentText]:
    parts = []
    for value in form.getlist(key):
        if isinstance(value, UploadFile):
            parts.append(SentText(value.filename or "", await value.read()))
        else:  # line breaks of a form are CR LF
            parts.append(SentText("", value.replace("\r\n", "\n").encode()))
    return parts
