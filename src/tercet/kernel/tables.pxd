# The C types of tables.py.

cdef class Table:
    cdef const unsigned char[::1] third
    cdef unsigned int[81] weight
    cdef unsigned char[81] place
    cdef unsigned char[81] card
    cdef int[1088] found

    cdef inline int count(self, const unsigned char[::1] cards, size_t start, int size) noexcept nogil
    cdef void count_many(self, const unsigned char[::1] cards, int size, unsigned short[::1] counts) noexcept nogil
    cdef int highest(self, const unsigned char[::1] cards) noexcept nogil
    cdef void put(self, int place, int card) noexcept nogil
    cdef int find(self, int size) noexcept nogil
