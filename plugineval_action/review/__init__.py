"""What a change did: two trees, the units that differ, their scores on both sides."""
