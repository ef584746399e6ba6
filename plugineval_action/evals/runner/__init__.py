"""Running an agent on cases: workspaces, harness commands, caps, recordings."""
