"""The steps of `plugin-eval eval`."""
