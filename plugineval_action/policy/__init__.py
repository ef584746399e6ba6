"""What a repository decides about findings: profile, levels, waivers, a baseline."""
