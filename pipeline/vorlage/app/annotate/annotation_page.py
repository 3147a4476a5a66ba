"""The annotation page: for the app, which brings the pairs as they are opened, and as one file for a disk.

The texts of a corpus are JSON without `<`, and the scripts add them to the page as the text of nodes. A
content security policy lets only our own scripts run and, on a disk, nothing be loaded.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path

import yaml

from vorlage.app.annotate.annotation_task import AnnotationTask
from vorlage.types import JsonObject
from vorlage.views.viewer import page_parts, render, script_json

# The rules for annotators: `title`, `text`, `examples` (`document`, `summary` and `links`).
GUIDELINES = Path(__file__).parent / "guidelines.yaml"
SCRIPTS = tuple(
    """panes curves annotate_links annotate_words annotate_show annotate_agreement
    storage annotate_store annotate_saving annotate_editor annotate""".split()
)
FRAME_HEIGHT = 900  # pixels: the page in a notebook


def app_page(task: AnnotationTask) -> tuple[str, str]:
    """Return the page that gets its pairs from the app, and its content security policy.

    The page is named after the gold file of `task`. Raise `InputError` if there is none.
    """
    path = task.gold.path
    config = {"app": True, "annotator": "", "start": task.start, "digest": f"{task.digest} {path}"}
    return _render(path.name, config, (), "'self'")


def disk_page(task: AnnotationTask, name: str, annotator: str = "") -> str:
    """Return a standalone page with all pairs of `task`; the work stays in the browser until it is saved.

    `name`: what the page is called. `annotator`: who annotates, if that is known. The page has the gold
    of everyone, to continue it and to compute agreement, but shows annotators their own. Work that the
    browser keeps belongs to the corpus and that gold, so it is found again by a page made of both.
    """
    index, gold = task.index(None), task.lines()
    pairs = [
        task.pair(pair["id"], annotator) | {"content": task.mark_content(pair["id"])}
        for pair in index["pairs"]
    ]
    digest = hashlib.sha256(script_json([task.digest, gold]).encode()).hexdigest()[:16]
    config = {"app": False, "annotator": annotator, "start": task.start, "digest": digest}
    config |= {"index": index, "gold": gold}
    html, _ = _render(name, config, pairs, "'none'")
    return html


def _render(name: str, config: JsonObject, pairs: Sequence[JsonObject], connect: str) -> tuple[str, str]:
    """Return a page and its policy; `connect`: what its scripts may connect to."""
    parts = page_parts(SCRIPTS, ["annotate"], connect)
    html = render(
        "annotate",
        title=f"Annotate {name}",
        guidelines=yaml.safe_load(GUIDELINES.read_text(encoding="utf-8")),
        config=script_json(config),
        pairs=[script_json(pair) for pair in pairs],
        **parts,
    )
    return html, parts["policy"]
