"""Rules about all skills of a repository together, one a file."""
