"""From measurements to a number: dimensions, blend, composite, bands, deltas. Pure functions."""
