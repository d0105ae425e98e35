/* Copies elements: each run is a place in the output, one in the input, a length, and the step in
 * the input, 0 or 1.
 */
static void @move_SUFFIX(int64_t runs, const int64_t *list, const void *x, void *out) {
  for (const int64_t *run = list; run < list + 4 * runs; run += 4) {
    const ELEMENT *const from = (const ELEMENT *)x + run[1];
    ELEMENT *const to = (ELEMENT *)out + run[0];
    for (int64_t i = 0; i < run[2]; i++) to[i] = from[i * run[3]];
  }
}

static void @put_integers(int64_t count, const int64_t *list, void *out) {
  memcpy(out, list, (size_t)count * sizeof *list);
}

/* One row for each sequence: kind 0 is the sum, 1 the average, 2 the sum by the root of the length,
 * 3 the maximum, 4 the first and 5 the last row.
 */
static void @sequence_pool(
    int64_t sequences, int64_t width, int kind, float padding, const int64_t *offsets,
    const void *from, void *to, void *indices) {
  const float *const x = from;
  for (int64_t i = 0; i < sequences * width; i++) {
    const int64_t begin = offsets[i / width];
    const int64_t end = offsets[i / width + 1];
    const int64_t column = i % width;
    int64_t row = begin == end ? -1 : kind == 5 ? end - 1 : begin;
    float result = padding;
    if (kind < 3 && begin < end) {
      result = 0;
      for (int64_t k = begin; k < end; k++) result += x[k * width + column];
      result = kind == 0 ? result
          : kind == 1    ? result / (float)(end - begin)
                         : result / (float)sqrt((double)(end - begin));
    } else if (begin < end) {
      for (int64_t k = begin + 1; kind == 3 && k < end; k++) {
        if (x[k * width + column] > x[row * width + column]) row = k;
      }
      result = x[row * width + column];
    }
    if (to != NULL) ((float *)to)[i] = result;
    if (indices != NULL) ((int32_t *)indices)[i] = (int32_t)row;
  }
}

static void @sequence_softmax(
    int64_t sequences, const int64_t *offsets, const void *from, void *to) {
  const float *const x = from;
  float *const out = to;
  for (int64_t i = 0; i < sequences; i++) {
    float largest = -INFINITY;
    float sum = 0;
    for (int64_t k = offsets[i]; k < offsets[i + 1]; k++) largest = @maximum_f32(largest, x[k]);
    for (int64_t k = offsets[i]; k < offsets[i + 1]; k++) {
      out[k] = (float)@exp((double)(x[k] - largest));
      sum += out[k];
    }
    for (int64_t k = offsets[i]; k < offsets[i + 1]; k++) out[k] /= sum;
  }
}

static void @sequence_conv(
    int64_t sequences, int64_t width, int64_t outputs, int64_t length, int64_t start,
    const int64_t *offsets, const void *from, const void *weights, void *to) {
  const float *const x = from;
  const float *const filter = weights;
  for (int64_t i = 0; i < sequences; i++) {
    for (int64_t row = offsets[i]; row < offsets[i + 1]; row++) {
      float *const out = (float *)to + row * outputs;
      for (int64_t o = 0; o < outputs; o++) out[o] = 0;
      for (int64_t k = 0; k < length; k++) {
        const int64_t source = row + start + k;
        if (source < offsets[i] || source >= offsets[i + 1]) continue;
        for (int64_t c = 0; c < width; c++) {
          const float factor = x[source * width + c];
          const float *const w = filter + (k * width + c) * outputs;
          for (int64_t o = 0; o < outputs; o++) out[o] += factor * w[o];
        }
      }
    }
  }
}

/* sums[k] = first[k] + bias[k] + the product of a state and column k of the weights. */
static void @column_sums(
    int64_t width, int64_t columns, const float *first, const float *bias, const float *state,
    const float *weights, float *sums) {
  for (int64_t k = 0; k < columns; k++) sums[k] = first[k] + (bias == NULL ? 0 : bias[k]);
  for (int64_t i = 0; i < width; i++) {
    for (int64_t k = 0; k < columns; k++) sums[k] += state[i] * weights[i * columns + k];
  }
}

static inline float @applied(double (*f)(double, double, double), float x) {
  return (float)f((double)x, 0, 0);
}

static inline double @gate_identity(double x, double alpha, double beta) {
  (void)alpha;
  (void)beta;
  return x;
}

/* Update and reset gate, then the candidate; the weights are those of both gates, then those of
 * the candidate.
 */
static void @sequence_gru(
    int64_t sequences, int64_t width, int backwards, int original, const int64_t *offsets,
    double (*gate)(double, double, double), double (*act)(double, double, double),
    const void *from, const void *weights, const void *biases, const void *h0, void *to,
    void *work) {
  const float *const w = weights;
  const float *const bias = biases;
  float *const h = work;
  float *const gates = h + width;
  float *const reset = gates + 2 * width;
  float *const next = reset + width;
  for (int64_t i = 0; i < sequences; i++) {
    for (int64_t k = 0; k < width; k++) h[k] = h0 == NULL ? 0 : ((const float *)h0)[i * width + k];
    for (int64_t k = offsets[i]; k < offsets[i + 1]; k++) {
      const int64_t row = backwards ? offsets[i] + offsets[i + 1] - 1 - k : k;
      const float *const x = (const float *)from + row * 3 * width;
      @column_sums(width, 2 * width, x, bias, h, w, gates);
      for (int64_t c = 0; c < 2 * width; c++) gates[c] = @applied(gate, gates[c]);
      for (int64_t c = 0; c < width; c++) reset[c] = gates[width + c] * h[c];
      @column_sums(
          width, width, x + 2 * width, bias == NULL ? NULL : bias + 2 * width, reset,
          w + 2 * width * width, next);
      for (int64_t c = 0; c < width; c++) {
        const float update = original ? 1 - gates[c] : gates[c];
        h[c] = (1 - update) * h[c] + update * @applied(act, next[c]);
        ((float *)to)[row * width + c] = h[c];
      }
    }
  }
}

/* The columns belong to the candidate, the input, the forget and the output gate. */
static void @sequence_lstm(
    int64_t sequences, int64_t width, int backwards, int peeks, const int64_t *offsets,
    double (*gate)(double, double, double), double (*cell_act)(double, double, double),
    double (*act)(double, double, double), const void *from, const void *weights,
    const void *biases, const void *h0, const void *c0, void *hiddens, void *cells, void *work) {
  const float *const bias = biases;
  float *const h = work;
  float *const cell = h + width;
  float *const sums = cell + width;
  for (int64_t i = 0; i < sequences; i++) {
    for (int64_t k = 0; k < width; k++) {
      h[k] = h0 == NULL ? 0 : ((const float *)h0)[i * width + k];
      cell[k] = c0 == NULL ? 0 : ((const float *)c0)[i * width + k];
    }
    for (int64_t k = offsets[i]; k < offsets[i + 1]; k++) {
      const int64_t row = backwards ? offsets[i] + offsets[i + 1] - 1 - k : k;
      @column_sums(width, 4 * width, (const float *)from + row * 4 * width, bias, h, weights, sums);
      for (int64_t c = 0; c < width; c++) {
        const float in = sums[width + c] + (peeks ? cell[c] * bias[4 * width + c] : 0);
        const float forget = sums[2 * width + c] + (peeks ? cell[c] * bias[5 * width + c] : 0);
        cell[c] = @applied(act, sums[c]) * @applied(gate, in) + cell[c] * @applied(gate, forget);
        const float out = sums[3 * width + c] + (peeks ? cell[c] * bias[6 * width + c] : 0);
        h[c] = @applied(gate, out) * @applied(cell_act, cell[c]);
        if (hiddens != NULL) ((float *)hiddens)[row * width + c] = h[c];
        if (cells != NULL) ((float *)cells)[row * width + c] = cell[c];
      }
    }
  }
}
