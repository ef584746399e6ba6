"""Findings without weight: what a reader should know, whatever the score says."""
