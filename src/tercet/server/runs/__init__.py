"""Playing against the clock: where runs begin, and the puzzles of days."""
