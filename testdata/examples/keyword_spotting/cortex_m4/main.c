/* Reads features.npy, runs the model, writes the scores to scores.bin.
 *
 * Files and text go through semihosting, which debuggers and QEMU provide. In a product, which
 * computes the features itself, `features`, `scores` and keyword() remain.
 */
#include <stdint.h>

#include "model.h"

enum { OPEN = 1, CLOSE = 2, WRITE0 = 4, WRITE = 5, READ = 6, EXIT = 0x20 };
enum { READ_BINARY = 1, WRITE_BINARY = 5 };

static int host(int operation, const void *argument) {
  register int r0 __asm__("r0") = operation;
  register const void *r1 __asm__("r1") = argument;
  __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

void stop(int code) {
  const uint32_t reason[2] = {0x20026, (uint32_t)code}; /* the program ended by itself */
  host(EXIT, reason);
  for (;;) {
  }
}

static int open_file(const char *name, uint32_t length, uint32_t mode) {
  const uint32_t arguments[3] = {(uint32_t)name, mode, length};
  return host(OPEN, arguments);
}

/* Reads or writes bytes of a file; returns 0 if all were. */
static int transfer(int operation, int file, const void *bytes, uint32_t count) {
  const uint32_t arguments[3] = {(uint32_t)file, (uint32_t)bytes, count};
  return host(operation, arguments);
}

static void print(const char *name, uint32_t number) {
  char text[11];
  char *digit = text + sizeof text;
  *--digit = 0;
  do {
    *--digit = (char)('0' + number % 10);
    number /= 10;
  } while (number != 0);
  host(WRITE0, name);
  host(WRITE0, digit);
  host(WRITE0, "\n");
}

/* The arena, in which the features and the scores are, too: nothing is copied. */
static unsigned char arena[MODEL_ARENA_BYTES] __attribute__((aligned(MODEL_ARENA_ALIGNMENT)));
static float *const features = (float *)(void *)(arena + MODEL_INPUT_FEATURES_OFFSET);
static const float *const scores = (const float *)(void *)(arena + MODEL_OUTPUT_SCORES_OFFSET);

/* Returns the number of the keyword with the greatest score. */
static int keyword(void) {
  const struct model_inputs inputs = {features};
  const struct model_outputs outputs = {NULL};
  if (model_run(arena, &inputs, &outputs) != 0) stop(2);
  int best = 0;
  for (int i = 1; i < 12; i++) {
    if (scores[i] > scores[best]) best = i;
  }
  return best;
}

static void read_features(void) {
  unsigned char start[10];
  unsigned char skipped;
  const int file = open_file("features.npy", 12, READ_BINARY);
  int rest = file < 0 || transfer(READ, file, start, sizeof start) != 0;
  for (int i = start[8] | start[9] << 8; i > 0 && rest == 0; i--) {
    rest = transfer(READ, file, &skipped, 1);
  }
  if (rest != 0 || transfer(READ, file, features, MODEL_INPUT_FEATURES_BYTES) != 0) stop(1);
  host(CLOSE, &file);
}

static void write_scores(void) {
  const int file = open_file("scores.bin", 10, WRITE_BINARY);
  if (file < 0 || transfer(WRITE, file, scores, MODEL_OUTPUT_SCORES_BYTES) != 0) stop(1);
  host(CLOSE, &file);
}

extern const uint32_t stack_begin[], stack_end[];

static uint32_t used_stack(void) {
  const uint32_t *word = stack_begin;
  while (*word == 0xA5A5A5A5) word++;
  return (uint32_t)((const char *)stack_end - (const char *)word);
}

/* SysTick counts down from 2^24 - 1, on this board 25 times in a microsecond. */
static volatile uint32_t *const systick = (volatile uint32_t *)0xE000E010;

int main(void) {
  read_features();
  systick[1] = 0xFFFFFF;
  systick[2] = 0;
  systick[0] = 5;
  const int best = keyword();
  const uint32_t ticks = 0xFFFFFF - systick[2];
  write_scores();
  print("keyword ", (uint32_t)best);
  print("bytes of stack ", used_stack());
  print("microseconds ", ticks / 25);
  return 0;
}
