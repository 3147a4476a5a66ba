"""What axe-core finds on a page that keeps people with a disability from using it."""

import pytest

# Each frame is checked by itself, because axe in a sandboxed frame cannot answer axe in the page around it.
OPTIONS = {"resultTypes": ["violations"], "iframes": False}


def findings(page):
    """Return a line for each violation of a rule of axe-core, best practices included, on a page.

    A line has the rule, what it asks for, the element and what is wrong with it. Frames that show something
    are part of the page. The test is skipped without the package.
    """
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    return [
        f"{found['id']}: {found['help']}: {node['html']}; {node['failureSummary']}"
        for frame in page.frames
        if frame.url != "about:blank"
        for found in axe.run(frame, options=OPTIONS).response["violations"]
        for node in found["nodes"]
    ]
