/* The limit for the extra roll, as src/tercet/kernel/extra_roll.py solves it.
   Standard input: the best score with any of three dice (4495 shorts), six faces for each of five dice, what they show. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int16_t any3[4495], three[10][6][6][8], best[6][6][6][6][8];
static uint8_t faces[5][6], shown[5];
static int sums[7680], total[32], tri[30], tet[30];

static int of_three(int f, int g, int h) {
    int low = f < g ? f : g, high = f < g ? g : f;
    if (h >= high) return any3[tet[h] + tri[high] + low];
    if (h >= low) return any3[tet[high] + tri[h] + low];
    return any3[tet[high] + tri[low] + h];
}

static int16_t most(int16_t a, int16_t b) { return a > b ? a : b; }

static void decide(void) {
    int n = 0;
    for (int a = 0; a < 5; a++)
        for (int b = a + 1; b < 5; b++)
            for (int c = b + 1; c < 5; c++, n++)
                for (int i = 0; i < 6; i++)
                    for (int j = 0; j < 6; j++)
                        for (int k = 0; k < 6; k++)
                            three[n][i][j][k] = of_three(faces[a][i], faces[b][j], faces[c][k]);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            for (int k = 0; k < 6; k++)
                for (int m = 0; m < 6; m++) {
                    int16_t top = most(most(three[0][i][j][k], three[1][i][j][m]),
                                       most(three[3][i][k][m], three[6][j][k][m]));
                    const int16_t *a = three[2][i][j], *b = three[4][i][k], *c = three[7][j][k];
                    const int16_t *d = three[5][i][m], *e = three[8][j][m], *f = three[9][k][m];
                    int16_t *out = best[i][j][k][m];
                    for (int w = 0; w < 8; w++) {
                        int16_t x = most(a[w], b[w]), y = most(c[w], d[w]), z = most(e[w], f[w]);
                        out[w] = most(most(x, y), most(z, top));
                    }
                }
    int block = 1728, source = 0, ways = 2;
    int16_t *flat = &best[0][0][0][0][0];
    for (int w = 0; w < block; w++) {
        sums[w] = 6 * flat[shown[0] * block + w];
        sums[block + w] = flat[w] + flat[block + w] + flat[2 * block + w] + flat[3 * block + w] +
                          flat[4 * block + w] + flat[5 * block + w];
    }
    for (int d = 1; d < 4; d++) {
        int target = source + ways * block;
        block /= 6;
        for (int way = 0; way < ways; way++) {
            int *start = sums + source + way * block * 6, *kept = sums + target + way * block, *thrown = kept + ways * block;
            for (int w = 0; w < block; w++) {
                kept[w] = 6 * start[shown[d] * block + w];
                thrown[w] = start[w] + start[block + w] + start[2 * block + w] + start[3 * block + w] +
                            start[4 * block + w] + start[5 * block + w];
            }
        }
        ways *= 2;
        source = target;
    }
    for (int way = 0; way < 16; way++) {
        total[way] = 6 * sums[source + way * 8 + shown[4]];
        total[way + 16] = 0;
        for (int i = 0; i < 6; i++) total[way + 16] += sums[source + way * 8 + i];
    }
}

int main(int argc, char **argv) {
    long times = argc > 1 ? atol(argv[1]) : 1, sum = 0;
    if (fread(any3, 2, 4495, stdin) != 4495 || fread(faces, 1, 30, stdin) != 30 || fread(shown, 1, 5, stdin) != 5) return 1;
    for (int n = 0; n < 30; n++) tri[n] = n * (n + 1) / 2, tet[n] = n * (n + 1) * (n + 2) / 6;
    struct timespec begin, end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    for (long i = 0; i < times; i++) {
        decide();
        __asm__ volatile("" : : : "memory"); /* so that no decision is left out */
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    for (int way = 0; way < 32; way++) sum += total[way];
    printf("%.9f %ld\n", end.tv_sec - begin.tv_sec + (end.tv_nsec - begin.tv_nsec) / 1e9, sum);
    return 0;
}
