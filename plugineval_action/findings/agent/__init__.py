"""Rules that look at one agent file, one rule a file."""
