# The C types of hands.py.
from tercet.kernel.board cimport Board
from tercet.kernel.search cimport order_loss

cdef class HandTables:
    cdef Board board
    cdef int wilds
    # best score by exactly these faces, and by any of these three (28: no die)
    cdef short[28] v1
    cdef short[406] v2
    cdef short[4060] v3
    cdef short[4495] any3
    cdef int[30] tri, tet
    # by square*32 + face: points as a natural die, with the bonus, and number of SETs, with lying dice alone
    cdef short[::1] value
    cdef unsigned char[::1] sets
    # the three best squares for each face
    cdef short[87] top_value, top_at
    # for each two faces the best pair, and the best that avoids its first and its second square
    cdef short[1218] pair_value, pair_a, pair_b
    # links by falling plain value, the same by lying face, and from both ends by square
    cdef short[4096] link_value, order, wild_order, by_face
    cdef int[28] by_face_begin
    cdef int[677] begin
    cdef short[::1] half_to
    cdef unsigned char[::1] half_face, half_sets, half_points
    # the best plain chain by its two lying faces, with a wild in the middle; by one of them, with a wild at the
    # end of the other; with two wilds and with three
    cdef short[729] chain, chain_wild
    cdef short[27] chain_end_wild
    cdef int two_wilds, three_wilds
    # the best single and the best pair again, side by side, and a row of threes
    cdef short[28] top_one, bound, best_with
    cdef short[406] top_pair

    cdef void build(self, int wilds) noexcept nogil
    cdef int index2(self, int f, int g) noexcept nogil
    cdef int index3(self, int f, int g, int h) noexcept nogil
    cdef void value_squares(self) noexcept nogil
    cdef void offer_top(self, int face, int value, int square) noexcept nogil
    cdef int two_singles(self, int f, int g) noexcept nogil
    cdef int three_singles(self, int f, int g, int h) noexcept nogil
    cdef void sort_links(self) noexcept nogil
    cdef void find_pairs(self) noexcept nogil
    cdef void plain_pair(self, int again, int index, int old, int wilds) noexcept nogil
    cdef void pair(self, int again, int e, int f) noexcept nogil
    cdef void pair_of(self, int again, int index, int value, int a, int b) noexcept nogil
    cdef void offer_pair(self, int which, int i, int value, int a, int b) noexcept nogil
    cdef int pair_and_single(self, int pair, int h) noexcept nogil
    cdef void find_chains(self) noexcept nogil
    cdef void plain_chain(self, int square, int i, int j) noexcept nogil
    cdef void face_chain(self, int square, int f, int i, int j) noexcept nogil
    cdef int chain_loss(self, int mask, int s, int t, int u, int n, int m) noexcept nogil
    cdef void raise3(self, int f, int g, int h, int value) noexcept nogil
    cdef void combine(self) noexcept nogil
    cdef void bound_threes(self, int g, int h) noexcept nogil
    cdef int apart(self, int f, int g, int h, int best) noexcept nogil
    cdef void any_of_threes(self, int n, int g, int h) noexcept nogil
    cdef int best_of(self, const unsigned char[::1] hand) noexcept nogil
