/* The limit for whole card games with a random SET taken each time, as src/tercet/kernel/card_games.py plays them. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint8_t third[81 * 81], place[81], card[24], deck[81];
static int found[1088];
static uint64_t state;
static long long seen[8][24][40];

static uint64_t next(void) {
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static int below(int n) { return (next() >> 32) * n >> 32; }

static int find(int size) {
    int n = 0, half = size / 2;
    for (int i = 0; i < half; i++)
        for (int j = i + 1; j < half; j++) {
            int k = place[third[card[i] * 81 + card[j]]] - 1;
            found[n] = i << 16 | j << 8 | k;
            n += k > j;
        }
    for (int i = half; i < size; i++)
        for (int j = i + 1; j < size; j++) {
            int k = place[third[card[i] * 81 + card[j]]] - 1;
            found[n] = k < half ? k << 16 | i << 8 | j : i << 16 | j << 8 | k;
            n += (k > j) | ((k >= 0) & (k < half));
        }
    return n;
}

static void put(int at, int c) {
    card[at] = c;
    place[c] = at + 1;
}

static int play(void) {
    int size = 12, dealt = 12, taken = 0;
    for (int i = 0; i < 81; i++) deck[i] = i;
    for (int i = 0; i < 81; i++) {
        int j = i + below(81 - i), c = deck[i];
        deck[i] = deck[j];
        deck[j] = c;
    }
    for (int i = 0; i < 81; i++) place[i] = 0;
    for (int i = 0; i < 12; i++) put(i, deck[i]);
    for (;;) {
        int n = find(size);
        seen[size / 3][(81 - dealt) / 3][n < 39 ? n : 39]++;
        if (n) {
            int set = found[below(n)], refill = size <= 12 && dealt < 81, last = size - 3;
            taken++;
            for (int i = 16; i >= 0; i -= 8) {
                int at = set >> i & 255;
                place[card[at]] = 0;
                if (refill) put(at, deck[dealt++]);
            }
            if (refill) continue;
            for (int i = 16; i >= 0; i -= 8) {
                int at = set >> i & 255;
                if (at >= size - 3) continue;
                while (!place[card[last]]) last++;
                put(at, card[last++]);
            }
            size -= 3;
        } else if (dealt == 81) {
            return taken;
        } else {
            for (int i = 0; i < 3; i++) put(size++, deck[dealt++]);
        }
    }
}

int main(int argc, char **argv) {
    long games = argc > 1 ? atol(argv[1]) : 1000, taken = 0;
    for (int a = 0; a < 81; a++)
        for (int b = 0; b < 81; b++)
            for (int w = 27; w; w /= 3) third[a * 81 + b] += 2 * (a / w + b / w) % 3 * w;
    struct timespec begin, end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    for (long game = 0; game < games; game++) {
        state = 1;
        state = next() ^ game * 0x9E3779B97F4A7C15u;
        state = next();
        taken += play();
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    printf("%.9f %ld\n", end.tv_sec - begin.tv_sec + (end.tv_nsec - begin.tv_nsec) / 1e9, taken);
    return 0;
}
