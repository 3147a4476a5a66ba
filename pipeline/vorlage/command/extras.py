"""The optional groups of packages, and what to install when one is missing."""

# Module → package, and the group of pyproject.toml that has it.
EXTRAS = {
    "bert_score": ("bert-score", "peers"),
    "defusedxml": ("defusedxml", "workflow"),
    "huggingface_hub": ("huggingface-hub", "workflow"),
    "matplotlib": ("matplotlib", "report"),
    "ot": ("POT", "peers"),
    "pandas": ("pandas", "report"),
    "pyarrow": ("pyarrow", "workflow"),
    "pypdf": ("pypdf", "documents"),
    "python_multipart": ("python-multipart", "serve"),
    "rank_bm25": ("rank-bm25", "peers"),
    "resiliparse": ("resiliparse", "documents"),
    "rouge_score": ("rouge-score", "peers"),
    "simalign": ("simalign", "peers"),
    "starlette": ("starlette", "serve"),
    "thot": ("sil-thot", "workflow"),
    # What simalign and bert-score need; other commands that need torch say so themselves.
    "torch": ("torch", "peers"),
    "uvicorn": ("uvicorn", "serve"),
}


def find_missing(error: ModuleNotFoundError) -> str | None:
    """Return which package is missing and how to install it, or None if no group has it."""
    package, group = EXTRAS.get((error.name or "").partition(".")[0], (None, None))
    return package and f'{package} is not installed; install it with `pip install "vorlage[{group}]"`'
