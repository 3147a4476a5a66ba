"""The tools of an agent, called by a client of the protocol over the pipes of a real server."""

import os
import sys
from concurrent.futures import ThreadPoolExecutor

import anyio
import pytest

mcp = pytest.importorskip("mcp", reason="make setup installs it")
pytestmark = pytest.mark.slow

DOCUMENTS = {
    "monday.txt": "The ferry to Sund was late because of fog. Two hundred people waited.",
    "tuesday.txt": "The harbour of Sund will get a second pier. Work on it starts in March.",
}


@pytest.fixture(scope="module")
def call(tmp_path_factory):
    """Calls a tool of a server of a folder, and returns the text of the answer and whether it is an error."""
    folder = tmp_path_factory.mktemp("served")
    (folder.parent / "secret.txt").write_text("The code is 1234.")
    for name, text in DOCUMENTS.items():
        (folder / name).write_text(text)
    program = "import sys; from vorlage.cli.main import main; main(sys.argv[1:])"

    async def run(calls, arguments):
        server = mcp.StdioServerParameters(
            command=sys.executable, args=["-c", program, "mcp", *arguments], env=dict(os.environ)
        )
        async with mcp.Client(mcp.stdio_client(server)) as client:
            tools = {tool.name for tool in (await client.list_tools()).tools}
            assert tools == {"align", "attribute"}
            answers = [await client.call_tool(name, options) for name, options in calls]
        return [(answer.content[0].text, answer.is_error) for answer in answers]

    def in_thread(*calls, served=(str(folder),)):
        """Call the tools in a thread of its own: tests of pages leave a loop running in the main one."""
        with ThreadPoolExecutor() as threads:
            return threads.submit(anyio.run, run, calls, served).result()

    return in_thread


def test_answers_are_right(call):
    text = "Fog made the ferry to Sund late. Work on the second pier starts in May."
    texts = {"text": text, "documents": DOCUMENTS}
    files = {"text": text, "files": list(DOCUMENTS)}
    summary = {"summary": "Two hundred people waited for the ferry.", "file": "monday.txt"}
    (by_text, failed), (by_name, _), (table, _) = call(
        ("attribute", texts), ("attribute", files), ("align", summary)
    )
    assert not failed and by_text == by_name
    right, wrong = (line for line in by_text.splitlines() if line[:1] in "✓✗?" and line)
    assert right.startswith("✓ Fog") and wrong.startswith("✗ Work")
    assert "“May” ≠ “March”" in by_text
    assert "source: monday.txt:1 " in by_text and "source: tuesday.txt:2 " in by_text
    rows = [line.split("\t") for line in table.splitlines()]
    assert " ".join(row[1] for row in rows) == "Two hundred people waited for the ferry ."
    assert [row[2] for row in rows if "hundred" in row[1]] == ["Two hundred people waited"]
    assert all(0 < float(row[0]) <= 1 for row in rows)


def test_documents_may_be_what_python_takes(call):
    text, (monday, tuesday) = "Fog made the ferry to Sund late.", DOCUMENTS.values()
    listed = [{"text": tuesday}, {"text": monday, "name": "x"}, {"text": " "}]
    (by_name, failed), (alone, _), (several, _), (mixed, _), (error, is_error) = call(
        ("attribute", {"text": text, "documents": listed}),
        ("attribute", {"text": text, "documents": monday}),
        ("attribute", {"text": text, "documents": [monday, tuesday]}),
        ("attribute", {"text": text, "documents": [tuesday], "files": ["monday.txt"]}),
        ("attribute", {"text": text, "documents": [{"content": monday}]}),
    )
    assert (
        not failed
        and "source: x:1 " in by_name
        and "documents left out, because they are empty: 3" in by_name
    )
    assert (
        "source: sentence 1 " in alone
        and "source: sentence 1 " in several
        and "source: monday.txt:1 " in mixed
    )
    assert is_error and "`document` must be a string, a list of strings" in error


def test_wrong_calls_are_errors_of_one_line(call):
    outside, nowhere, swapped = call(
        ("attribute", {"text": "The code is 1234.", "files": ["../secret.txt"]}),
        ("attribute", {"text": "The code is 1234."}),
        ("align", {"summary": "A text."}),
    )
    unserved = call(("align", {"summary": "A text.", "file": "monday.txt"}), served=())
    for (message, failed), part in zip(
        [outside, nowhere, swapped, *unserved],
        ["may not be read", "give at least one", "empty document", "may not be read"],
        strict=True,
    ):
        assert failed and part in message and "\n" not in message and "1234" not in message
