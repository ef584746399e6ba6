"""Deterministic graders, one module each: what `type` in the checks file selects."""
