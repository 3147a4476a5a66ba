"""The app: pages in the browser, the tools of an agent (MCP), annotation and ratings by people.

It may import every room of the core and the workflow, whose gold, scores and ratings it shows; nothing
imports it. The core finds it by `vorlage.extensions`.
"""

# Name, module below `vorlage`, and what the command does.
COMMANDS = {
    "serve": ("app.serve", "open the app in the browser: paste or drop texts, look at corpora"),
    "mcp": ("app.mcp_server", "offer `attribute` and `align` as tools to an agent (MCP)"),
    "annotate": ("app.annotate.stage", "make a page to annotate gold by hand"),
}
