"""Evals: prompts for an agent, what is expected of its run, and what the trace says of it."""
