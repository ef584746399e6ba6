"""Evals of a skill, for people and for machines."""
