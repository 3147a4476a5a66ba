"""Print the JSON Schema of what a command writes: `vorlage schema`."""

import json

from vorlage.api.schemas import schema, schema_names
from vorlage.command.errors import command
from vorlage.command.options import CommandParser


@command
def main(arguments: list[str] | None = None) -> None:
    """Print the JSON Schema of an output: of `vorlage attribute --json`, or of a line of a file."""
    parser = CommandParser("schema", main, log=False)
    parser.add_argument("name", choices=schema_names(), help="of what")
    print(json.dumps(schema(parser.parse(arguments).name), indent=2, ensure_ascii=False))
