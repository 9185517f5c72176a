# The C types of endgame.py.
from tercet.kernel.board cimport Board
from tercet.kernel.search cimport Search

cdef unsigned long long mix(unsigned long long x) noexcept nogil

cdef class Endgame:
    cdef Board board
    cdef Search search
    cdef unsigned char[1536] face
    cdef int n_dice
    # which wild lies where; hands (five places a seat), which of their places still hold a die, and what is on top
    cdef unsigned char[848] die_at
    cdef unsigned char[10] hand, up
    cdef int[2] left
    cdef int first, seat, laid, could, idle, margin, stars
    cdef unsigned long long board_key
    # what a final margin is worth to seat 0, from the lowest on, and the highest margin of these
    cdef const double[::1] worths
    cdef int widest
    # what is known: values by key; and what rounds are worth by how every die shows or is thrown
    cdef unsigned long long[::1] known_key
    cdef double[::1] known, rounds
    cdef long long known_room, known_used, rounds_room, rounds_used
    # turns that are being tried
    cdef long long[::1] trying
    cdef int trying_room, trying_used
    cdef long long looked, limit
    cdef int stopped

    cdef double worth(self, int margin) noexcept nogil
    cdef double better(self, int seat, double one, double other) noexcept nogil
    cdef int shows(self, int place) noexcept nogil
    cdef unsigned long long key(self, int seat, int kind, int margin) noexcept nogil
    cdef void put(self, int q, int face, int star, int die) noexcept nogil
    cdef void lift(self, int q, int bonus) noexcept nogil
    cdef void mark(self, int q) noexcept nogil
    cdef void take_hand(self, int seat) noexcept nogil
    cdef int best_score(self, int seat) noexcept nogil
    cdef int can_exchange(self, int seat) noexcept nogil
    cdef double turn(self, int seat, int laid, int could, int idle, int rethrows, int margin) noexcept nogil
    cdef double play(self, int seat, int laid, int could, int idle, int rethrows, int margin) noexcept nogil
    cdef double exchange(
        self, int seat, int i, int q, int laid, int could, int idle, int rethrows, int margin
    ) noexcept nogil
    cdef double lays(self, int seat, int margin) noexcept nogil
    cdef double try_lays(self, int seat, int margin) noexcept nogil
    cdef double lay(self, int seat, long long turn, int margin) noexcept nogil
    cdef double after(self, int seat, int laid, int could, int idle, int rethrows, int margin) noexcept nogil
    cdef long long round(self, int idle, int rethrows, int margin) noexcept nogil
    cdef void play_throws(self, long long base, int dice, int idle, int rethrows, int margin) noexcept nogil
    cdef long long at(self, long long base, int mine, int theirs) noexcept nogil
    cdef double roll(self, long long base) noexcept nogil
    cdef long long find(self, unsigned long long key) noexcept nogil
    cdef void keep(self, unsigned long long key, double value) noexcept nogil
    cdef void make_known_room(self) noexcept with gil
    cdef void make_rounds_room(self) noexcept with gil
    cdef void make_trying_room(self) noexcept with gil
