# The C types of dice_games.py.
from tercet.kernel.board cimport Board
from tercet.kernel.chance cimport Chance
from tercet.kernel.dice_table cimport DiceTable
from tercet.kernel.extra_roll cimport ExtraRoll
from tercet.kernel.hands cimport HandTables
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
    # the position that rollouts start from
    cdef unsigned char[676] kept_cell, kept_star, kept_bonus, kept_die
    cdef unsigned char[4] kept_size
    cdef unsigned char[20] kept_hand, kept_up
    cdef unsigned char[256] kept_bag
    cdef int kept_in_bag, kept_first, kept_seat, kept_laid, kept_could, kept_dry, kept_rethrows, kept_over
    cdef int[4] kept_score
    # the stage of the position, and the dice that seats throw in its extra roll
    cdef int stage
    cdef unsigned char[4] given, kept_given

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
    cdef int best_in_hand(self, int seat) noexcept nogil
    cdef void count_game(self) noexcept nogil
    cdef void restore(self) noexcept nogil
    cdef void play_many(self, unsigned long long seed, long long first, long long games, int[::1] scores) noexcept nogil
    cdef void roll_out(
        self, unsigned long long seed, long long first, long long games, int horizon, int[::1] scores
    ) noexcept nogil
