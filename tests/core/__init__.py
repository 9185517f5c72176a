"""The core: both games by the rules, the text forms, chance and records."""
