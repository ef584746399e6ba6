"""The judge layer: a model reads the skill, and what it says is checked, counted and averaged."""
