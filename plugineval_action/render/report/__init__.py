"""What a report on a marketplace looks like."""
