# The C types of search.py.
from tercet.kernel.board cimport Board

cdef long long pack_two(long long a, long long b) noexcept nogil
cdef long long pack_three(long long a, long long b, long long c) noexcept nogil
cpdef int order_loss(int w1, int s1, int w2, int s2, int w3, int s3, int n12, int n13, int n23) noexcept nogil

cdef class Search:
    cdef Board board
    # the hand: how many of each face, the faces in it, and in each face's nibble of `room` how many are left
    cdef unsigned char[28] count
    cdef unsigned char[8] held
    cdef int n_held
    cdef unsigned int faces
    cdef unsigned int[28] use
    cdef unsigned int room, guard
    # singles, in ascending order and by falling value
    cdef int singles
    cdef int[::1] single, single_value, order
    # pairs, and for each placement the pairs in which it is
    cdef int pairs, pair_room
    cdef int[::1] pair_a, pair_b, pair_value, pair_most, head, follow
    # what was found
    cdef int turns, turn_room
    cdef long long[::1] turn
    # the best turn so far and its third placement; bounds by cell for what could be better
    cdef long long best
    cdef int last, bounded
    cdef short[848] most_here, most_beyond

    cdef void sort_hand(self) noexcept nogil
    cdef void find_singles(self) noexcept nogil
    cdef int add_single(self, int n, int p) noexcept nogil
    cdef unsigned int wanted_faces(self) noexcept nogil
    cdef void find_pairs(self) noexcept nogil
    cdef void forget_pairs(self) noexcept nogil
    cdef void add_pair(self, int link, int face_a, int wild_a, int wild_b) noexcept nogil
    cdef void make_pair_room(self, int needed) noexcept with gil
    cdef void make_turn_room(self) noexcept with gil

    cdef int any(self) noexcept nogil
    cdef void find_all(self) noexcept nogil
    cdef void all_of_singles(self) noexcept nogil
    cdef void all_of_pairs(self) noexcept nogil
    cdef void all_chains(self) noexcept nogil
    cdef int partner(self, int half) noexcept nogil
    cdef void add(self, long long turn, int score) noexcept nogil
    cdef void add_three(self, int a, int b, int c, int all) noexcept nogil

    cdef long long find_best(self) noexcept nogil
    cdef inline int too_little(self, int score, int last) noexcept nogil
    cdef int most(self, int p) noexcept nogil
    cdef void bound_links(self) noexcept nogil
    cdef int most_third(self, int a, int b) noexcept nogil
    cdef int most_with_link(self, int i) noexcept nogil
    cdef int last_of_link(self, int i) noexcept nogil
    cdef void sort_singles(self) noexcept nogil
    cdef void best_of_singles(self) noexcept nogil
    cdef void best_of_pairs(self) noexcept nogil
    cdef void best_of_chains(self) noexcept nogil
    cdef void offer(self, long long turn, int score) noexcept nogil
    cdef void offer_three(self, int a, int b, int c, int score) noexcept nogil

    cdef int kind(self, int p) noexcept nogil
    cdef int fit_two(self, int a, int b) noexcept nogil
    cdef int fit_three(self, int a, int b, int c) noexcept nogil
    cdef int alone(self, int p) noexcept nogil
    cdef int sets(self, int p) noexcept nogil
    cdef int natural(self, int p) noexcept nogil
    cdef int shared(self, int a, int b) noexcept nogil
    cdef int worth_two(self, int a, int b, int shared) noexcept nogil
    cdef int worth_three(self, int a, int b, int c) noexcept nogil
