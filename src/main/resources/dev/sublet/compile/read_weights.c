
static const void *read_weights(const char *file) {
  FILE *in = fopen(file, "rb");
  if (in == NULL) fail(file, "cannot be opened");
  void *weights = aligned(@NAME@_WEIGHTS_BYTES + 1, 64);
  read_bytes(in, file, weights, @NAME@_WEIGHTS_BYTES);
  fclose(in);
  return weights;
}
