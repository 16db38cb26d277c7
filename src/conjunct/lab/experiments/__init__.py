"""The experiments: one file, one statement, one figure."""
