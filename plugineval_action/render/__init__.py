"""View models and writers. Nothing here knows git, GitHub or the clock."""
