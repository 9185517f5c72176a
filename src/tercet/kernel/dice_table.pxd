# The C types of dice_table.py.
from tercet.kernel.board cimport Board
from tercet.kernel.chance cimport Chance

cdef class DiceTable:
    cdef Board board
    cdef Chance chance
    cdef int players, n_dice, never
    cdef short[3] logo
    cdef unsigned char[1536] face
    cdef unsigned char[676] full_bonus
    # which die lies where, hands (five places a seat) and what they show, the bag, the scores
    cdef unsigned char[848] die_at
    cdef unsigned char[4] size
    cdef unsigned char[20] hand, up
    cdef int in_bag
    cdef unsigned char[256] bag
    cdef int[4] score
    # what the throws of this game will show, and how often each die was thrown
    cdef unsigned long long key
    cdef unsigned char[256] thrown
    # the state of the round
    cdef int first, seat, laid, could, dry, rethrows, over
    # what the last lay was worth in bonus, and how many wilds were in it
    cdef int bonus_points, wilds_laid

    cdef void set_up(self) noexcept nogil
    cdef void shuffle(self) noexcept nogil
    cdef int throw(self, int die) noexcept nogil
    cdef int shows(self, int place) noexcept nogil
    cdef int draw(self, int seat) noexcept nogil
    cdef void throw_all(self, int seat) noexcept nogil
    cdef int opening_set(self, int seat) noexcept nogil
    cdef int open(self) noexcept nogil
    cdef void lay_opening(self, int seat, int places) noexcept nogil
    cdef void take_from_hand(self, int seat, int place) noexcept nogil
    cdef int lowest(self, int seat, int face) noexcept nogil
    cdef int lay_turn(self, int seat, long long turn) noexcept nogil
    cdef int can_replace(self, int seat) noexcept nogil
    cdef void replace_one(self, int seat) noexcept nogil
    cdef void put(self, int q, int face, int star) noexcept nogil
