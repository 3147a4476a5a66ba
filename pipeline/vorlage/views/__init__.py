"""Views: results in the terminal, as tables, JSON and pages, with all templates and JavaScript."""
