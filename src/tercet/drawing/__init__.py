"""Pictures of cards, dice, tables and boards as SVG, with the shapes of the site.

>>> from tercet import Card
>>> picture = draw("1RFD 2GHO 3PES")
>>> picture[:5], picture == draw(Card.read("1RFD 2GHO 3PES"))
('<svg ', True)
"""

from tercet.drawing.pictures import Picture, caption, draw, draw_board, draw_rows

__all__ = ["Picture", "caption", "draw", "draw_board", "draw_rows"]
