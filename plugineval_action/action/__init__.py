"""The GitHub Action: the one floor that knows both scores and GitHub."""
