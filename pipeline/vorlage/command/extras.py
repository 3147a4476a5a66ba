"""What to install when a package of an optional group is missing."""

# The modules of each group of pyproject.toml.
EXTRAS = {
    "documents": ("pypdf", "resiliparse"),
    "report": ("matplotlib", "pandas"),
    "serve": ("anyio", "python_multipart", "starlette", "uvicorn"),
    "torch": ("benepar", "bert_score", "ot", "rank_bm25", "rouge_score", "simalign", "torch", "transformers"),
    "workflow": ("defusedxml", "grimp", "huggingface_hub", "pandas", "pyarrow", "thot"),
}


def find_missing(error: ModuleNotFoundError) -> str | None:
    """Return how to install the package of a module, or None if no group has it."""
    module = (error.name or "").partition(".")[0]
    groups = (group for group, modules in EXTRAS.items() if module in modules)
    group = next(groups, None)
    return group and f'{module} is not installed; install it with `pip install "vorlage[{group}]"`'
