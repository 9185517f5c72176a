# The C types of dice_steps.py.
from tercet.kernel.board cimport Board
from tercet.kernel.chance cimport Chance
from tercet.kernel.dice_table cimport DiceTable
from tercet.kernel.first_turns cimport FirstTurns
from tercet.kernel.search cimport Search

cdef class DiceSteps:
    cdef DiceTable table
    cdef Board board
    cdef Search search
    cdef FirstTurns first
    cdef readonly int players, squares
    cdef readonly long long count
    cdef int n_dice
    cdef unsigned long long seed
    # what can be looked at, table by table
    cdef readonly unsigned char[::1] lies, die_at, acting, asks
    cdef readonly int[::1] scores, final, rounds
    cdef readonly signed char[::1] masks
    cdef readonly long long[::1] game
    # the rest of each table: hands, what they show, their sizes, answers, the state of the round; and its first turns
    cdef unsigned char[::1] bag, thrown, kept, turns
    cdef unsigned long long[::1] key
    cdef long long[::1] turn
    # of the table that is laid out
    cdef int asking, round
    cdef unsigned char[4] answers

    cdef int begin(self, long long t) noexcept nogil
    cdef void lay_out(self, long long t) noexcept nogil
    cdef void put_away(self, long long t) noexcept nogil
    cdef void list_actions(self, long long t) noexcept nogil
    cdef void take_hand(self, int seat) noexcept nogil
    cdef int act(self, long long t, long long action) noexcept nogil
    cdef int wild_for(self, int seat, int place) noexcept nogil
    cdef void replace(self, int seat, int place) noexcept nogil
    cdef void throw_again(self) noexcept nogil
    cdef int next_round(self) noexcept nogil
    cdef void step_all(self, const long long[::1] actions, int[::1] gains, unsigned char[::1] over) noexcept nogil
    cdef void see_die(self, int code, float[::1] out, long long at) noexcept nogil
    cdef void see_hand(self, long long t, int seat, float[::1] out, long long at) noexcept nogil
    cdef void see_turns(self, long long t, float[::1] out, long long at) noexcept nogil
    cdef void see_all(self, float[::1] out, long long size) noexcept nogil
