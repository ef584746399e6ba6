"""Traces of agents: one reader a harness, one event model. Streaming; nothing in a trace is run."""
