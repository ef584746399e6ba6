"""The Monte Carlo layer: a model meets the skill as it would in a harness, many times."""
