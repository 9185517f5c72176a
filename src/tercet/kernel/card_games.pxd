# The C types of card_games.py.
from tercet.kernel.chance cimport Chance
from tercet.kernel.tables cimport Table

cdef class CardGames:
    cdef Chance chance
    cdef Table table
    cdef unsigned char[81] deck, unshuffled
    cdef int cards, deal, first_choice
    cdef long long[::1] counts

    cdef void shuffle(self, int needed) noexcept nogil
    cdef void play(self) noexcept nogil
    cdef int choose(self, int sets) noexcept nogil
    cdef void play_many(self, unsigned long long seed, long long first, long long games) noexcept nogil
    cdef void sample_many(self, unsigned long long seed, long long first, long long tables, int size) noexcept nogil
