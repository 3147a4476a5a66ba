"""What the values that a text states have in common."""

from typing import Any


class Value:
    """What words state: a quantity, a date, a time of day, a code or a name."""

    @property
    def kind(self) -> str:
        """The kind of a finding about it."""
        return type(self).__name__.lower()

    def is_comparable(self, source: "Value") -> bool:
        """Return whether the source is of the same kind, so that the two agree or contradict each other."""
        return type(source) is type(self)

    def agrees(self, source: "Value") -> bool:
        """Return whether the value follows from the source."""
        return self.is_comparable(source) and self._follows(source)

    def _follows(self, source: Any) -> bool:
        """Return whether the value follows from a comparable one."""
        return bool(self == source)
