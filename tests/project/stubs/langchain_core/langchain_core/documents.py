"""What the recipe for LangChain needs of it."""

from dataclasses import dataclass, field


@dataclass(kw_only=True)
class Document:
    page_content: str
    metadata: dict = field(default_factory=dict)
