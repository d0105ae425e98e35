/* Runs the model on .npy files: @name@ INPUT.npy ... OUTPUT.npy ...
 * Inputs and outputs are in the order of @name@.h. Numbers are little-endian.
 * With -DMODEL_REPEAT=20, it runs the model 20 times more and prints the time of the fastest run.
 */
@define_posix@@include_threads@#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "@name@.h"

struct tensor {
  const char *name;
  const char *type;
  const char *shape;
  size_t bytes;
};

static const struct tensor inputs[] = {
@inputs@};

static const struct tensor outputs[] = {
@outputs@};

static void fail(const char *file, const char *problem) {
  fprintf(stderr, "error: %s: %s\n", file, problem);
  exit(1);
}

/* Returns memory whose first byte is aligned; it is never freed. */
static void *aligned(size_t bytes, size_t alignment) {
  unsigned char *memory = malloc(bytes + alignment);
  if (memory == NULL) fail("memory", "there is not enough");
  const size_t past = (size_t)((uintptr_t)memory % alignment);
  return memory + (past == 0 ? 0 : alignment - past);
}

static void read_bytes(FILE *in, const char *file, void *target, size_t bytes) {
  if (fread(target, 1, bytes, in) != bytes) fail(file, "the file is too short");
}

static void *read_npy(const char *file, const struct tensor *tensor) {
  static char header[65536];
  unsigned char start[10];
  FILE *in = fopen(file, "rb");
  if (in == NULL) fail(file, "cannot be opened");
  read_bytes(in, file, start, sizeof start);
  if (memcmp(start, "\x93NUMPY\x01", 7) != 0) fail(file, "is no .npy file of version 1");
  const size_t length = (size_t)(start[8] | start[9] << 8);
  read_bytes(in, file, header, length);
  header[length] = 0;
  if (strstr(header, tensor->type) == NULL || strstr(header, "False") == NULL) {
    fail(file, "has another element type, or is in Fortran order");
  }
  if (strstr(header, tensor->shape) == NULL) fail(file, "has another shape");
  void *elements = aligned(tensor->bytes + 1, 64);
  read_bytes(in, file, elements, tensor->bytes);
  fclose(in);
  return elements;
}

static void write_npy(const char *file, const struct tensor *tensor, const void *elements) {
  static char header[65536];
  FILE *out = fopen(file, "wb");
  if (out == NULL) fail(file, "cannot be written");
  const int text = snprintf(
      header,
      sizeof header,
      "{%s, 'fortran_order': False, %s, }",
      tensor->type,
      tensor->shape);
  const size_t length = ((size_t)text + 11 + 63) / 64 * 64 - 10;
  const unsigned char start[10] = {
      0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (unsigned char)(length & 255),
      (unsigned char)(length >> 8)};
  memset(header + text, ' ', length - (size_t)text);
  header[length - 1] = '\n';
  if (fwrite(start, 1, 10, out) != 10 || fwrite(header, 1, length, out) != length
      || fwrite(elements, 1, tensor->bytes, out) != tensor->bytes || fclose(out) != 0) {
    fail(file, "cannot be written");
  }
}
@weights@@parts@@threads@
int main(int count, char **files) {
  if (count != 1 + @NAME@_INPUTS + @NAME@_OUTPUTS) {
    fprintf(
        stderr,
        "usage: %s, with %d inputs and %d outputs as .npy files\n",
        files[0],
        @NAME@_INPUTS,
        @NAME@_OUTPUTS);
    return 2;
  }
  struct @name@_inputs in;
  struct @name@_outputs out;
  memset(&in, 0, sizeof in);
  memset(&out, 0, sizeof out);
  void *arena = aligned(@NAME@_ARENA_BYTES + 1, @NAME@_ARENA_ALIGNMENT);
@read@  const int result = run(arena, &in, &out);
  if (result != 0) fail("@name@_run", "failed");
#ifdef MODEL_REPEAT
  double fastest = 0;
  for (int i = 0; i < MODEL_REPEAT; i++) {
    const double begin = now();
    if (run(arena, &in, &out) != 0) fail("@name@_run", "failed");
    const double seconds = now() - begin;
    if (i == 0 || seconds < fastest) fastest = seconds;
  }
  printf("%.3f ms\n", fastest * 1e3);
#endif
@write@  (void)inputs;
  (void)outputs;
  (void)now;
  (void)read_npy;
  (void)write_npy;
  return 0;
}
