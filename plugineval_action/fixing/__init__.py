"""Mechanical fixes: each one safe, shown before it is written, and judged by the rules again."""
