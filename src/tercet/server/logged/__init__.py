"""Tables and games as their logs tell them, and what of a game a seat may see."""
