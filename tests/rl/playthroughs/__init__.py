"""`python -m tests.rl.playthroughs` writes OpenSpiel's golden playthroughs of our games again."""
