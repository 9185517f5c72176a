"""Golden playthroughs: a whole game of each variant, with every public value at every step.

``python -m tests.playthroughs`` writes them anew. A change in them is a change of behaviour: look at the
difference before you commit it.
"""
