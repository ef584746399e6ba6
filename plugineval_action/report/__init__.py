"""What a report on a marketplace is made of."""
