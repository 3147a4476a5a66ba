"""The annotation page in a notebook."""

from collections.abc import Sequence
from pathlib import Path

from vorlage.api import load_model
from vorlage.app.annotate.annotation_page import FRAME_HEIGHT, disk_page
from vorlage.app.annotate.annotation_task import AnnotationTask
from vorlage.app.corpus_files import CorpusFiles
from vorlage.types import StrPath
from vorlage.views.viewer import notebook_frame


class Annotate:
    """Shows the annotation page of a corpus as the result of a cell.

    The page forgets the work when the notebook is closed: download it before.

    Args:
        corpus: pairs as JSON lines, or a folder of results.
        gold: a gold file with work to continue or to adjudicate.
        alignments: a file for each system to start from.
        annotator: whose gold is continued.
        tokenized: spaces separate tokens in the corpus.
        language: of the corpus, two letters.
        align: whether the supplied model aligns the pairs, too.

    Raises:
        InputError: input cannot be used.
    """

    def __init__(
        self,
        corpus: StrPath,
        gold: StrPath | None = None,
        alignments: Sequence[StrPath] = (),
        annotator: str = "",
        tokenized: bool = False,
        language: str = "en",
        align: bool = False,
    ) -> None:
        files = CorpusFiles(corpus, alignments, tokenized=tokenized, language=language)
        task = AnnotationTask(files, gold, load_model() if align else None)
        self._page = disk_page(task, Path(corpus).name, annotator)

    def _repr_html_(self) -> str:
        return notebook_frame(self._page, "Annotation", FRAME_HEIGHT)
