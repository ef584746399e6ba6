"""What is scored, as values: trees, skills, agents, plugins, marketplaces."""
