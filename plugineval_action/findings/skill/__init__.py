"""Rules that look at one skill, one rule a file."""
