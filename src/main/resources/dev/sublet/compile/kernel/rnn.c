/* sums[g] = bias[g] + weights[g] . x, for all gates; each product is summed in its order, and four
 * at the same time.
 */
static void @gate_sums(
    int64_t gates, int64_t width, const float *bias, const float *w, const float *x, float *sums) {
  const int64_t first = gates - gates % 4;
  for (int64_t g = 0; g < first; g += 4) {
    const float *a = w + g * width;
    const float *b = a + width;
    const float *c = b + width;
    const float *d = c + width;
    float s = 0;
    float t = 0;
    float u = 0;
    float v = 0;
    for (int64_t k = 0; k < width; k++) {
      s += a[k] * x[k];
      t += b[k] * x[k];
      u += c[k] * x[k];
      v += d[k] * x[k];
    }
    sums[g] = bias[g] + s;
    sums[g + 1] = bias[g + 1] + t;
    sums[g + 2] = bias[g + 2] + u;
    sums[g + 3] = bias[g + 3] + v;
  }
  for (int64_t g = first; g < gates; g++) {
    const float *const a = w + g * width;
    float s = 0;
    for (int64_t k = 0; k < width; k++) s += a[k] * x[k];
    sums[g] = bias[g] + s;
  }
}

static inline float @tanh_as_float(float x) { return (float)@tanh((double)x); }

/* Input, forget, candidate and output gate of each element. */
static void @cell_lstm(int64_t hidden, const float *in, const float *back, float *h, float *c) {
  for (int64_t i = 0; i < hidden; i++) {
    const int64_t f = hidden + i;
    const int64_t g = 2 * hidden + i;
    const int64_t o = 3 * hidden + i;
    const float fresh = @sigmoid_as_float(in[i] + back[i]) * @tanh_as_float(in[g] + back[g]);
    c[i] = @sigmoid_as_float(in[f] + back[f]) * c[i] + fresh;
    h[i] = @sigmoid_as_float(in[o] + back[o]) * @tanh_as_float(c[i]);
  }
}

/* Reset and update gate and candidate of each element. */
static void @cell_gru(int64_t hidden, const float *in, const float *back, float *h, float *c) {
  for (int64_t i = 0; i < hidden; i++) {
    const int64_t u = hidden + i;
    const int64_t g = 2 * hidden + i;
    const float reset = @sigmoid_as_float(in[i] + back[i]);
    const float kept = @sigmoid_as_float(in[u] + back[u]);
    const float fresh = @tanh_as_float(in[g] + reset * back[g]);
    h[i] = (1 - kept) * fresh + kept * h[i];
  }
  (void)c;
}

static void @cell_tanh(int64_t hidden, const float *in, const float *back, float *h, float *c) {
  for (int64_t i = 0; i < hidden; i++) h[i] = @tanh_as_float(in[i] + back[i]);
  (void)c;
}

static void @cell_relu(int64_t hidden, const float *in, const float *back, float *h, float *c) {
  for (int64_t i = 0; i < hidden; i++) h[i] = @maximum_f32(in[i] + back[i], 0);
  (void)c;
}

/* One layer in one direction. Sequences do not depend on each other. After the end of a sequence
 * outputs are 0, and states do not change.
 */
static void @rnn_layer(
    int64_t gates, void (*cell)(int64_t, const float *, const float *, float *, float *),
    int64_t steps, int64_t batch, int64_t width, int64_t hidden, int64_t directions,
    int64_t direction, const float *x, const float *wx, const float *wh, const float *bx,
    const float *bh, const float *h0, const float *c0, const void *lengths, int64_t bytes,
    float *out, float *last_h, float *last_c, float *sums, float *h) {
  float *const back = sums + gates * hidden;
  float *const c = h + hidden;
  for (int64_t b = 0; b < batch; b++) {
    const int64_t length = lengths == NULL ? steps : @integer(lengths, bytes, b);
    for (int64_t i = 0; i < hidden; i++) {
      h[i] = h0[b * hidden + i];
      c[i] = c0 == NULL ? 0 : c0[b * hidden + i];
    }
    for (int64_t k = 0; k < steps; k++) {
      const int64_t step = direction == 1 ? steps - 1 - k : k;
      float *const y =
          out == NULL ? NULL : out + ((step * batch + b) * directions + direction) * hidden;
      if (step < length) {
        @gate_sums(gates * hidden, width, bx, wx, x + (step * batch + b) * width, sums);
        @gate_sums(gates * hidden, hidden, bh, wh, h, back);
        cell(hidden, sums, back, h, c);
      }
      for (int64_t i = 0; i < hidden && y != NULL; i++) y[i] = step < length ? h[i] : 0;
    }
    for (int64_t i = 0; i < hidden; i++) {
      if (last_h != NULL) last_h[b * hidden + i] = h[i];
      if (last_c != NULL) last_c[b * hidden + i] = c[i];
    }
  }
}

static void @rnn_lstm(
    int64_t steps, int64_t batch, int64_t width, int64_t hidden, int64_t directions,
    int64_t direction, const void *x, const void *wx, const void *wh, const void *bx,
    const void *bh, const void *h0, const void *c0, const void *lengths, int64_t bytes, void *out,
    void *last_h, void *last_c, void *sums, void *h) {
  @rnn_layer(
      4, @cell_lstm, steps, batch, width, hidden, directions, direction, x, wx, wh, bx, bh, h0, c0,
      lengths, bytes, out, last_h, last_c, sums, h);
}

static void @rnn_gru(
    int64_t steps, int64_t batch, int64_t width, int64_t hidden, int64_t directions,
    int64_t direction, const void *x, const void *wx, const void *wh, const void *bx,
    const void *bh, const void *h0, const void *c0, const void *lengths, int64_t bytes, void *out,
    void *last_h, void *last_c, void *sums, void *h) {
  @rnn_layer(
      3, @cell_gru, steps, batch, width, hidden, directions, direction, x, wx, wh, bx, bh, h0, c0,
      lengths, bytes, out, last_h, last_c, sums, h);
}

static void @rnn_rnn_tanh(
    int64_t steps, int64_t batch, int64_t width, int64_t hidden, int64_t directions,
    int64_t direction, const void *x, const void *wx, const void *wh, const void *bx,
    const void *bh, const void *h0, const void *c0, const void *lengths, int64_t bytes, void *out,
    void *last_h, void *last_c, void *sums, void *h) {
  @rnn_layer(
      1, @cell_tanh, steps, batch, width, hidden, directions, direction, x, wx, wh, bx, bh, h0, c0,
      lengths, bytes, out, last_h, last_c, sums, h);
}

static void @rnn_rnn_relu(
    int64_t steps, int64_t batch, int64_t width, int64_t hidden, int64_t directions,
    int64_t direction, const void *x, const void *wx, const void *wh, const void *bx,
    const void *bh, const void *h0, const void *c0, const void *lengths, int64_t bytes, void *out,
    void *last_h, void *last_c, void *sums, void *h) {
  @rnn_layer(
      1, @cell_relu, steps, batch, width, hidden, directions, direction, x, wx, wh, bx, bh, h0, c0,
      lengths, bytes, out, last_h, last_c, sums, h);
}
