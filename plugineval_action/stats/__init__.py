"""Intervals, agreement, spread, resampling, looks at a growing sample: pure functions, no I/O."""
