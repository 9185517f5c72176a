# The C types of groups.py.
from tercet.kernel.tables cimport Table

cdef class Groups:
    cdef const unsigned char[::1] third
    cdef const unsigned short[::1] answers
    cdef const int[::1] ways
    cdef unsigned short[40] tally
    cdef unsigned char[81] place
    cdef unsigned char[3240] pair_third, first, second
    cdef short[81] newest
    cdef short[3240] older
    cdef long long[::1] found

    cdef int number_pairs(self, const unsigned char[::1] cards) noexcept nogil
    cdef void forget_pairs(self) noexcept nogil
    cdef inline int keep_pair(self, int pair) noexcept nogil
    cdef inline int count_ultras(self, const unsigned char[::1] cards, size_t start, int size) noexcept nogil
    cdef inline int count_ghosts(self, const unsigned char[::1] cards, size_t start, int size) noexcept nogil
    cdef void count_ultras_of_many(self, const unsigned char[::1] cards, int size, unsigned int[::1] counts) noexcept nogil
    cdef void count_ghosts_of_many(self, const unsigned char[::1] cards, int size, unsigned int[::1] counts) noexcept nogil
    cdef int find_chains(self, const unsigned char[::1] cards, const unsigned char[::1] last) noexcept nogil
    cdef int find_ultras(self, const unsigned char[::1] cards) noexcept nogil
    cdef int find_ghosts(self, const unsigned char[::1] cards) noexcept nogil
