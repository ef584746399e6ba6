"""Certification: a corpus, games between its skills, ratings, and the document about them."""
