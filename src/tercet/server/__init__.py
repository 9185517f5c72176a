"""The table server: tables where people and bots play both games in real time."""
