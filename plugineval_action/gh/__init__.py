"""GitHub, behind a small Protocol; knows nothing of scores."""
