# The C types that turns.py uses.
from tercet.kernel.board cimport Board
from tercet.kernel.first_turns cimport FirstTurns
from tercet.kernel.search cimport Search
