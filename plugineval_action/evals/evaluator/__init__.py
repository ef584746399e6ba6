"""Evaluators that a team configures: metrics, weights, and a judgment of the whole."""
