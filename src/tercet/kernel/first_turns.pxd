# The C types of first_turns.py.
from tercet.kernel.search cimport Search

cdef class FirstTurns:
    cdef int count
    cdef long long[64] turn

    cdef void take(self, Search search) noexcept nogil
    cdef void tell(self, Search search, float[::1] out, long long begin) noexcept nogil
