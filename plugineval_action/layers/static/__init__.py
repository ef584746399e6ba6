"""The static layer: facts measured in the text, and the formulas over them. No model is asked."""
