"""Asking language models: one Protocol, its Anthropic adapter, money, cache and batches."""
