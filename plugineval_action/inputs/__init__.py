"""Files that people write for evals: cases, checks, settings. Every mistake has its line."""
