# The C types of extra_roll.py.
from tercet.kernel.hands cimport HandTables

cdef class ExtraRoll:
    cdef HandTables tables
    # for each three of the five dice, the best with any of them by what they show: 8 places for the last
    cdef short[2880] three
    cdef short[10368] best
    cdef int[7680] sums
    cdef int[32] total
    cdef unsigned char[5] shown
    cdef int[30] tri, tet

    cdef int decide(self, const unsigned char[::1] faces, const unsigned char[::1] shown, int dice) noexcept nogil
    cdef void fill_threes(self, const unsigned char[::1] faces, int dice) noexcept nogil
    cdef void fill_best(self) noexcept nogil
    cdef void add_up(self) noexcept nogil
    cdef int of_three(self, int low, int high, int h) noexcept nogil
