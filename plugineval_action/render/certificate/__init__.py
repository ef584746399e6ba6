"""Certificates as people see them: a page, a badge, and the list of a corpus."""
