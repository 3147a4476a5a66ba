"""The tools of an agent, by the Model Context Protocol over standard input and output: `vorlage mcp`."""

from functools import cache
from importlib.metadata import version
from pathlib import Path

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from vorlage.api import load_model
from vorlage.api.aligned import AlignedPair
from vorlage.app.http_api import Task, Texts
from vorlage.attribution.result import Attribution
from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser
from vorlage.corpus.documents import read_text


@command
def main(arguments: list[str] | None = None) -> None:
    """Offer an agent two tools over standard input and output: the sources of a text, and links of words."""
    parser = CommandParser("mcp", main, log=False)
    parser.add_argument("folder", nargs="?", help="the tools may read the files below it (default: none)")
    parser.add_argument("--model", metavar="FILE", help="a trained model (default: the supplied one)")
    options = parser.parse(arguments)
    make_server(options.folder, options.model).run()


def make_server(folder: str | None = None, path: str | None = None) -> MCPServer:
    """Return the server of the tools.

    Args:
        folder: the tools may read the files below it; None for none.
        path: of the model, which is opened at the first call; None for that of the package.
    """
    model = cache(lambda: load_model(path))
    server = MCPServer("vorlage", version=version("vorlage"), log_level="ERROR")

    def find(task: Task, documents: dict[str, str], files: list[str], text: str) -> AlignedPair | Attribution:
        try:
            sides = documents | {name: _read(name, folder) for name in files}
            document = sides if len(sides) != 1 else next(iter(sides.values()))
            return Texts(document, text).find(model(), task)
        except InputError as error:
            raise ToolError(str(error)) from None

    def attribute(text: str, documents: dict[str, str] | None = None, files: list[str] | None = None) -> str:
        """Find the sources of each sentence of a text in documents, what has no source, and what differs.

        Give the documents as texts by name, as names of files (text, PDF, Word or HTML), or both. Returns
        the text as Markdown: ✓ supported, ? unclear, ✗ differs or has no source, with a footnote for each
        finding and each source. It compares what is written; it does not know whether a document is right.
        """
        found = find("attribute", documents or {}, files or [], text)
        assert isinstance(found, Attribution)
        return found.to_markdown()

    def align(summary: str, document: str | None = None, file: str | None = None) -> str:
        """Find which words of a document each phrase of its summary was made from.

        Give the document as a text, or as the name of a file (text, PDF, Word or HTML). Returns a line for
        each phrase: its probability, the phrase, and the words of the document, or nothing if it has none.
        """
        found = find("align", {} if document is None else {"": document}, [file] if file else [], summary)
        assert isinstance(found, AlignedPair)
        rows = ((f"{part.posterior:.2f}", part.summary, part.document or "") for part in found.phrases)
        return "\n".join(map("\t".join, rows))

    server.add_tool(attribute)
    server.add_tool(align)
    return server


def _read(name: str, folder: str | None) -> str:
    """Return the text of a file below the folder; raise `InputError` for any other."""
    path = Path(folder or "", name).resolve()
    if folder is None or not path.is_relative_to(Path(folder).resolve()):
        raise InputError(f"{name}: may not be read; start `vorlage mcp FOLDER` above it, or give its text")
    return read_text(str(path))
