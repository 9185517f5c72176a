"""What the number of finished games costs: see `python -m benchmarks.growth --help`."""
