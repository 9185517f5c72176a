# The C types of board.py. Every signature here is the one that compiled callers use, without the GIL.

cdef class Board:
    cdef readonly int rows, cols
    cdef int stride, squares, never, links
    cdef const unsigned char[::1] third
    cdef unsigned char[848] cell, star, bonus
    cdef short[676] at
    cdef short[848] square_of
    cdef unsigned int[848] finish
    cdef unsigned int wanted
    cdef unsigned char[5088] run_face, run_points
    cdef short[4096] link_a, link_b
    cdef unsigned char[4096] link_face, link_sets, link_points

    cdef void put(self, int q, int face, int star) noexcept nogil
    cdef void judge(self, int q) noexcept nogil
    cdef void judge_around(self, int q) noexcept nogil
    cdef int points(self, int q, int face) noexcept nogil
    cdef int sets(self, int q, int face) noexcept nogil
    cdef void find_links(self, unsigned int wanted) noexcept nogil
    cdef int link(self, int a, int b, int old, int other) noexcept nogil
    cdef int shared(self, int a, int face_a, int b, int face_b) noexcept nogil
