"""What one score looks like, in each format it is written in."""
