"""What the site adds to MkDocs: pages from outside of docs/, and docstrings with reST roles."""

import re
from pathlib import Path
from typing import Any

import griffe
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
# Pages that GitHub looks for in the main folder: name → page of the site.
OUTSIDE = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
ROLE = re.compile(r":(?:attr|class|func|meth|mod):`~?([^`]+)`")


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the pages from outside of docs/."""
    for source, page in OUTSIDE.items():
        text = (ROOT / source).read_text(encoding="utf-8").replace("](docs/", "](")
        files.append(File.generated(config, page, content=text))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Turn links to the pages from outside of docs/ into links to their pages on the site."""
    for source, page in OUTSIDE.items():
        markdown = markdown.replace(f"](../{source}", f"]({page}").replace(f"]({source}", f"]({page}")
    return markdown


class Roles(griffe.Extension):
    """Shows roles such as ``:func:`name` `` in docstrings as code."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Replace the roles in the docstring of an object."""
        if obj.docstring:
            obj.docstring.value = ROLE.sub(r"`\1`", obj.docstring.value)
