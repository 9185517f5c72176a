"""What is made from the logs, and can be made again at any time: lobby, my games, statistics, records.

`rows` says what a row is, `writer` writes those that have changed, `queries` reads them; `history` reads what many
logs say, and `rebuild` makes all rows again from it.
"""
