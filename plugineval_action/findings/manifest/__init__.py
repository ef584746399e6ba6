"""Rules that look at plugin.json or marketplace.json, one rule a file."""
