
/* Writes an output whose shape the model computes. The text of the largest shape has as many
 * numbers.
 */
static void write_part(
    const char *file, const struct tensor *largest, const void *elements, const int64_t *shape) {
  char text[512] = "'shape': (";
  size_t length = strlen(text);
  size_t all = 1;
  size_t some = 1;
  const char *at = strchr(largest->shape, '(');
  int rank = 0;
  for (; *at != ')'; rank++) {
    char *end;
    all *= strtoul(at + 1, &end, 10);
    some *= (size_t)shape[rank];
    length += (size_t)snprintf(
        text + length, sizeof text - length, rank == 0 ? "%ld" : ", %ld", (long)shape[rank]);
    at = end[0] == ',' && end[1] == ')' ? end + 1 : end;
  }
  snprintf(text + length, sizeof text - length, rank == 1 ? ",)" : ")");
  const struct tensor part = {
      largest->name, largest->type, text, all == 0 ? 0 : largest->bytes / all * some};
  write_npy(file, &part, elements);
}
