"""The same game of Set Cubed, move by move, at our table server and at boardgame.io's."""
