"""Commands for people. No logic of their own: they read, call the floors below, and print."""
