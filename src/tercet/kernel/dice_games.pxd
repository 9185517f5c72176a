# The C types of dice_games.py.
from tercet.kernel.board cimport Board
from tercet.kernel.chance cimport Chance
from tercet.kernel.dice_table cimport DiceTable
from tercet.kernel.extra_roll cimport ExtraRoll
from tercet.kernel.hands cimport HandTables
from tercet.kernel.position cimport Position
from tercet.kernel.search cimport Search

cdef class DiceGames:
    cdef DiceTable table
    cdef Board board
    cdef Search search
    cdef HandTables hands
    cdef ExtraRoll extra
    cdef unsigned char[4] greedy, throws
    cdef unsigned char[::1] faces, shown
    # what the throws of extra rolls gave each seat beyond what they promised, in 7,776ths of a point
    cdef int[4] luck, promised
    cdef long long[::1] counts
    # the position that rollouts start from, and whether the next extra roll is the first from there
    cdef Position start
    cdef int is_first_roll
    # the dice that seats throw in their next extra roll
    cdef unsigned char[4] given

    cdef void play(self) noexcept nogil
    cdef int play_on(self, int horizon) noexcept nogil
    cdef int play_from_stage(self, int horizon) noexcept nogil
    cdef int is_over(self) noexcept nogil
    cdef void turn(self, int seat) noexcept nogil
    cdef void take_hand(self, int seat) noexcept nogil
    cdef int next_round(self) noexcept nogil
    cdef void extra_rolls(self) noexcept nogil
    cdef int wild_dice(self) noexcept nogil
    cdef int choose_throw(self, int seat) noexcept nogil
    cdef void build_hands(self) noexcept nogil
    cdef int known_throw(self, int seat) noexcept nogil
    cdef int best_in_hand(self, int seat) noexcept nogil
    cdef void count_game(self) noexcept nogil
    cdef void restore(self) noexcept nogil
    cdef void play_many(self, unsigned long long seed, long long first, long long games, int[::1] scores) noexcept nogil
    cdef void roll_out(
        self, unsigned long long seed, long long first, long long games, int horizon, int[::1] scores
    ) noexcept nogil
