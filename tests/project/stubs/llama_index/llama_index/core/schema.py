"""What the recipe for LlamaIndex needs of it: a node with a score passes on its text and metadata."""

from dataclasses import dataclass, field


@dataclass(kw_only=True)
class TextNode:
    text: str
    metadata: dict = field(default_factory=dict)


@dataclass(kw_only=True)
class NodeWithScore:
    node: TextNode
    score: float | None = None

    @property
    def text(self):
        return self.node.text

    @property
    def metadata(self):
        return self.node.metadata
