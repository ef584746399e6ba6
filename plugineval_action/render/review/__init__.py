"""What a change looks like: comment, annotations, summary and its machine-readable twin."""
