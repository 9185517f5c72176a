"""How much the table server does: ``python -m benchmarks.server``."""
