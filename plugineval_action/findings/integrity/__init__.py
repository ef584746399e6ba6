"""Signs that the form of a skill is filled with nothing: they withhold the badge, one a file."""
