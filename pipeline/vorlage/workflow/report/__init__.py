"""The report: tables, figures and the page of a corpus."""
