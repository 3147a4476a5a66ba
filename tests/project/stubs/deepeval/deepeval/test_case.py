"""What the recipe for DeepEval needs of a test case."""

from dataclasses import dataclass


@dataclass(kw_only=True)
class LLMTestCase:
    input: str
    actual_output: str
    retrieval_context: list[str]
