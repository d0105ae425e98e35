
static int run(void *arena, const struct @name@_inputs *in, const struct @name@_outputs *out) {
  return @name@_run(arena, in, out);
}

static double now(void) { return (double)clock() / CLOCKS_PER_SEC; }
