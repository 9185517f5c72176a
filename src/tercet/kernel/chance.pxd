# The C types of chance.py.

cdef class Chance:
    cdef unsigned long long state
    cdef void start(self, unsigned long long seed, unsigned long long index) noexcept nogil
    cdef unsigned long long next(self) noexcept nogil
    cdef int below(self, int n) noexcept nogil
    cdef int one_of_six(self, unsigned long long key, unsigned long long label) noexcept nogil
