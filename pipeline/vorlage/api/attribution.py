"""The attribution of a text with the forms in which it is shown, as `TrainedModel.attribute` returns it."""

from typing import TYPE_CHECKING

from rich.console import Console, ConsoleOptions, RenderResult

from vorlage.attribution.citations import correct_marks
from vorlage.attribution.result import AttributionResult
from vorlage.types import JsonObject
from vorlage.views.console import shown_text
from vorlage.views.tables import attribution_json, markdown, word_rows
from vorlage.views.terminal import draw_attribution
from vorlage.views.viewer import notebook_frame, viewer_page
from vorlage.views.viewer_data import attribution_data

if TYPE_CHECKING:
    import pandas

WIDTH = 80  # columns of what `print` shows


class Attribution(AttributionResult):
    """The sources of a text in its documents: an `AttributionResult` with the forms in which it is shown."""

    def to_json(self) -> JsonObject:
        """Return the attribution as a JSON object; the sources of sentences, whole ones, have no quotes."""
        return attribution_json(self)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        return draw_attribution(self, console)

    def __str__(self) -> str:
        """Return what the terminal shows, without colours."""
        return shown_text(self, WIDTH)

    def to_markdown(self, marks: bool = False) -> str:
        """Return the text with footnotes for findings and sources, or alone with its `marks` put right."""
        if marks:
            return correct_marks(self.text.raw, self.documents.given, self.citations)
        return markdown(self)

    def to_dataframe(self) -> "pandas.DataFrame":
        """Return a table with a row for each word: its state, and the finding that it is in."""
        import pandas

        return pandas.DataFrame(list(word_rows(self))).convert_dtypes()

    def viewer_data(self) -> JsonObject:
        """Return what the viewer shows of the attribution."""
        return attribution_data(self)

    def to_html(self) -> str:
        """Return a standalone HTML page that shows the text with its sources."""
        return viewer_page(self.id, [self.viewer_data()], "attribution")

    def _repr_html_(self) -> str:
        return notebook_frame(self.to_html(), "Attribution")
