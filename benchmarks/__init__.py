"""How fast the hot loops are, as ratios within one run: `make bench`."""
