"""One module per topic; see `tests.language.corpus`."""
