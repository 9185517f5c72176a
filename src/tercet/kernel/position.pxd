# The C types of position.py.

cdef class Position:
    cdef unsigned char[676] cell, star, bonus, die
    cdef unsigned char[4] size, throws
    cdef unsigned char[20] hand, up
    cdef unsigned char[256] bag
    cdef int in_bag, first, seat, laid, could, dry, rethrows, over, stage
    cdef int[4] score
    # the board of the first extra roll of a game from here, if one is known, and the best of any three dice there
    cdef int is_known
    cdef unsigned char[676] known_cell, known_star
    cdef short[4495] known_best
    # at an extra roll: what each seat would choose, and what each of its throws promises, if that is known
    cdef int is_solved
    cdef unsigned char[4] chosen
    cdef int[128] promised
