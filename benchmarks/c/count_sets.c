/* The limit for counting SETs: tables of 12 cards on standard input, as src/tercet/kernel/tables.py counts them. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint8_t third[81 * 81];
static uint32_t weight[81];

static int count(const uint8_t *card) {
    uint32_t low = 0, high = 0;
    for (int i = 0; i < 6; i++) weight[card[i]] = 0x30001;
    for (int i = 6; i < 12; i++) weight[card[i]] = 0x10003;
    for (int i = 0; i < 6; i++)
        for (int j = i + 1; j < 6; j++) low += weight[third[card[i] * 81 + card[j]]];
    for (int i = 6; i < 12; i++)
        for (int j = i + 1; j < 12; j++) high += weight[third[card[i] * 81 + card[j]]];
    for (int i = 0; i < 12; i++) weight[card[i]] = 0;
    return ((low & 0xFFFF) + (high >> 16)) / 3;
}

int main(void) {
    size_t room = 1 << 20, size = 0, got;
    uint8_t *cards = malloc(room);
    while ((got = fread(cards + size, 1, room - size, stdin)) > 0)
        if ((size += got) == room) cards = realloc(cards, room *= 2);
    for (int a = 0; a < 81; a++)
        for (int b = 0; b < 81; b++)
            for (int w = 27; w; w /= 3) third[a * 81 + b] += 2 * (a / w + b / w) % 3 * w;
    uint16_t *counts = malloc(size / 12 * sizeof *counts);
    struct timespec begin, end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    for (size_t t = 0; t < size / 12; t++) counts[t] = count(cards + t * 12);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    long sum = 0;
    for (size_t t = 0; t < size / 12; t++) sum += counts[t];
    printf("%.9f %ld\n", end.tv_sec - begin.tv_sec + (end.tv_nsec - begin.tv_nsec) / 1e9, sum);
    return 0;
}
