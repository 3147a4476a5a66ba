"""The tools of an agent, by the Model Context Protocol over standard input and output: `vorlage mcp`."""

from collections.abc import Callable, Mapping
from functools import cache, wraps
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import SkipValidation

from vorlage.api import load_model
from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser
from vorlage.documents.formats import read_text
from vorlage.documents.records import AnyDocument, name_documents, unique_name

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer


@command
def main(arguments: list[str] | None = None) -> None:
    """Offer an agent two tools over standard input and output: the sources of a text, and links of words."""
    parser = CommandParser("mcp", main, log=False)
    parser.add_argument("folder", nargs="?", help="the tools may read the files below it (default: none)")
    parser.add_argument("--model", metavar="FILE", help="a trained model (default: the supplied one)")
    options = parser.parse(arguments)
    make_server(options.folder, options.model).run()


def make_server(folder: str | None = None, path: str | None = None) -> "MCPServer":
    """Return the server of the tools.

    Args:
        folder: the tools may read the files below it; None for none.
        path: of the model, which is opened at the first call; None for that of the package.
    """
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError

    model = cache(lambda: load_model(path))

    def attribute(
        text: str, documents: SkipValidation[AnyDocument | None] = None, files: list[str] | None = None
    ) -> str:
        """Find the sources of each sentence of a text in documents, what has no source, and what differs.

        Give the documents as texts by name or objects with `text`, as names of files (text, PDF, Word, HTML,
        mail, subtitles or CSV), or both. Returns the text as Markdown: ✓ supported, ? unclear, ✗ differs or
        has no source, with a footnote for each finding and each source. It compares what is written; it does
        not know whether a document is right.
        """
        given: Any = name_documents(documents or {})
        if files:
            named = given if isinstance(given, Mapping) else {"document": given}
            given = {**named, **{unique_name(name, named): _read(name, folder) for name in files}}
        return model().attribute(given, text).to_markdown()

    def align(summary: str, document: str = "", file: str | None = None) -> str:
        """Find which words of a document each phrase of its summary was made from.

        Give the document as a text, or as the name of a file (text, PDF, Word or HTML). Returns a line for
        each phrase: its probability, the phrase, and the words of the document, or nothing if it has none.
        """
        phrases = model().align(document if file is None else _read(file, folder), summary).phrases
        return "\n".join(f"{part.posterior:.2f}\t{part.summary}\t{part.document or ''}" for part in phrases)

    def answer(tool: Callable[..., str]) -> Callable[..., str]:
        @wraps(tool)
        def find(**arguments: str) -> str:
            try:
                return tool(**arguments)
            except InputError as error:
                raise ToolError(str(error)) from None

        return find

    server = MCPServer("vorlage", version=version("vorlage"), log_level="ERROR")
    for tool in (attribute, align):
        server.add_tool(answer(tool))
    return server


def _read(name: str, folder: str | None) -> str:
    """Return the text of a file below the folder; raise `InputError` for any other."""
    path = Path(folder or "", name).resolve()
    if folder is None or not path.is_relative_to(Path(folder).resolve()):
        raise InputError(f"{name}: may not be read; start `vorlage mcp FOLDER` above it, or give its text")
    return read_text(str(path))
