"""To study the games: who is stronger (`arena`), how likely is what (`odds`), what a game teaches (`review`)."""
