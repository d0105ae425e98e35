static inline double @gate_sigmoid(double x, double alpha, double beta) {
  (void)alpha;
  (void)beta;
  return 1 / (1 + @exp(-x));
}

static inline double @gate_tanh(double x, double alpha, double beta) {
  (void)alpha;
  (void)beta;
  return @tanh(x);
}

static inline double @gate_relu(double x, double alpha, double beta) {
  (void)alpha;
  (void)beta;
  return @maximum_f64(x, 0);
}

static inline double @gate_affine(double x, double alpha, double beta) { return alpha * x + beta; }

static inline double @gate_leakyrelu(double x, double alpha, double beta) {
  (void)beta;
  return x >= 0 ? x : alpha * x;
}

static inline double @gate_thresholdedrelu(double x, double alpha, double beta) {
  (void)beta;
  return x > alpha ? x : 0;
}

static inline double @gate_scaledtanh(double x, double alpha, double beta) {
  return alpha * @tanh(beta * x);
}

static inline double @gate_hardsigmoid(double x, double alpha, double beta) {
  return @minimum_f64(@maximum_f64(alpha * x + beta, 0), 1);
}

static inline double @gate_elu(double x, double alpha, double beta) {
  (void)beta;
  return x >= 0 ? x : alpha * @expm1(x);
}

static inline double @gate_softsign(double x, double alpha, double beta) {
  (void)alpha;
  (void)beta;
  return x / (1 + fabs(x));
}

static inline double @gate_softplus(double x, double alpha, double beta) {
  (void)alpha;
  (void)beta;
  return @maximum_f64(x, 0) + @log1p(@exp(-fabs(x)));
}

/* sums[r] = bias[r] + w[r] . x, for all rows; each product is summed in its order, and four at the
 * same time.
 */
static void @row_sums_SUFFIX(
    int64_t rows, int64_t width, const ELEMENT *bias, const ELEMENT *w, const double *x,
    double *sums) {
  const int64_t first = rows - rows % 4;
  for (int64_t r = 0; r < first; r += 4) {
    const ELEMENT *const a = w + r * width;
    const ELEMENT *const b = a + width;
    const ELEMENT *const c = b + width;
    const ELEMENT *const d = c + width;
    double s[4] = {0, 0, 0, 0};
    for (int64_t k = 0; k < width; k++) {
      s[0] += (double)a[k] * x[k];
      s[1] += (double)b[k] * x[k];
      s[2] += (double)c[k] * x[k];
      s[3] += (double)d[k] * x[k];
    }
    for (int64_t i = 0; i < 4; i++) sums[r + i] = (bias == NULL ? 0 : (double)bias[r + i]) + s[i];
  }
  for (int64_t r = first; r < rows; r++) {
    const ELEMENT *const a = w + r * width;
    double s = 0;
    for (int64_t k = 0; k < width; k++) s += (double)a[k] * x[k];
    sums[r] = (bias == NULL ? 0 : (double)bias[r]) + s;
  }
}

static inline double @clipped(double x, double clip) {
  return @minimum_f64(@maximum_f64(x, -clip), clip);
}

/* Input, output and forget gate and candidate of each element; p has the weights of the cell. */
static void @lstm_step_SUFFIX(
    int64_t hidden, int couples, double clip, double (*f)(double, double, double), double fa,
    double fb, double (*g)(double, double, double), double ga, double gb,
    double (*e)(double, double, double), double ea, double eb, const ELEMENT *p, const double *in,
    const double *back, double *h, double *c) {
  for (int64_t i = 0; i < hidden; i++) {
    const int64_t o = hidden + i;
    const int64_t u = 2 * hidden + i;
    const int64_t n = 3 * hidden + i;
    const double pi = p == NULL ? 0 : (double)p[i];
    const double po = p == NULL ? 0 : (double)p[o];
    const double pu = p == NULL ? 0 : (double)p[u];
    const double taken = f(@clipped(in[i] + back[i] + pi * c[i], clip), fa, fb);
    const double kept = couples ? 1 - taken : f(@clipped(in[u] + back[u] + pu * c[i], clip), fa, fb);
    c[i] = kept * c[i] + taken * g(@clipped(in[n] + back[n], clip), ga, gb);
    h[i] = f(@clipped(in[o] + back[o] + po * c[i], clip), fa, fb) * e(c[i], ea, eb);
  }
}

/* Update and reset gate and candidate of each element; `gates` has room for three of each. */
static void @gru_step_SUFFIX(
    int64_t hidden, int resets_after, double clip, double (*f)(double, double, double), double fa,
    double fb, double (*g)(double, double, double), double ga, double gb, const ELEMENT *r,
    const ELEMENT *bias, const double *in, double *back, double *h, double *gates) {
  double *const reset = gates + hidden;
  double *const kept = reset + hidden;
  for (int64_t i = 0; i < hidden; i++) {
    gates[i] = f(@clipped(in[i] + back[i], clip), fa, fb);
    reset[i] = f(@clipped(in[hidden + i] + back[hidden + i], clip), fa, fb);
    kept[i] = reset[i] * h[i];
  }
  double *const state = back + 2 * hidden;
  if (!resets_after) {
    @row_sums_SUFFIX(
        hidden, hidden, bias == NULL ? NULL : bias + 5 * hidden, r + 2 * hidden * hidden, kept,
        state);
  }
  for (int64_t i = 0; i < hidden; i++) {
    const double s = resets_after ? reset[i] * state[i] : state[i];
    const double fresh = g(@clipped(in[2 * hidden + i] + s, clip), ga, gb);
    h[i] = (1 - gates[i]) * fresh + gates[i] * h[i];
  }
}

/* A recurrent operator of ONNX in one direction: LSTM with four gates, GRU with three, RNN with
 * one. After the end of a sequence outputs are 0, and so are the last states of an empty sequence.
 */
static void @recurrence_SUFFIX(
    int64_t gates, int64_t steps, int64_t batch, int64_t width, int64_t hidden, int64_t directions,
    int64_t direction, int reverse, int batch_first, int variant, double clip,
    double (*f)(double, double, double), double fa, double fb, double (*g)(double, double, double),
    double ga, double gb, double (*e)(double, double, double), double ea, double eb,
    const void *from, const void *wx, const void *wh, const void *b, const void *lengths,
    int64_t bytes, const void *h0, const void *c0, const void *p, void *y, void *last_h,
    void *last_c, void *work) {
  const int64_t rows = gates * hidden;
  const ELEMENT *const bias = b;
  double *const h = work;
  double *const c = h + hidden;
  double *const in = c + hidden;
  double *const back = in + rows;
  double *const others = back + rows;
  double *const row = others + 3 * hidden;
  for (int64_t k = 0; k < batch; k++) {
    const int64_t state = (batch_first ? k * directions + direction : direction * batch + k) * hidden;
    const int64_t given = lengths == NULL ? steps : @integer(lengths, bytes, k);
    const int64_t length = given < 0 ? 0 : given > steps ? steps : given;
    for (int64_t i = 0; i < hidden; i++) {
      h[i] = h0 == NULL ? 0 : (double)((const ELEMENT *)h0)[state + i];
      c[i] = c0 == NULL ? 0 : (double)((const ELEMENT *)c0)[state + i];
    }
    for (int64_t t = 0; t < steps; t++) {
      const int64_t step = reverse && t < length ? length - 1 - t : t;
      const ELEMENT *const x =
          (const ELEMENT *)from + (batch_first ? k * steps + step : step * batch + k) * width;
      const int64_t at =
          batch_first
              ? ((k * steps + step) * directions + direction) * hidden
              : ((step * directions + direction) * batch + k) * hidden;
      if (t < length) {
        for (int64_t i = 0; i < width; i++) row[i] = (double)x[i];
        @row_sums_SUFFIX(rows, width, bias, wx, row, in);
        @row_sums_SUFFIX(rows, hidden, bias == NULL ? NULL : bias + rows, wh, h, back);
        if (gates == 4) {
          @lstm_step_SUFFIX(
              hidden, variant, clip, f, fa, fb, g, ga, gb, e, ea, eb, p, in, back, h, c);
        } else if (gates == 3) {
          @gru_step_SUFFIX(
              hidden, variant, clip, f, fa, fb, g, ga, gb, wh, bias, in, back, h, others);
        } else {
          for (int64_t i = 0; i < hidden; i++) h[i] = f(@clipped(in[i] + back[i], clip), fa, fb);
        }
      }
      for (int64_t i = 0; i < hidden && y != NULL; i++) {
        ((ELEMENT *)y)[at + i] = t < length ? (ELEMENT)h[i] : 0;
      }
    }
    for (int64_t i = 0; i < hidden; i++) {
      if (last_h != NULL) ((ELEMENT *)last_h)[state + i] = length > 0 ? (ELEMENT)h[i] : 0;
      if (last_c != NULL) ((ELEMENT *)last_c)[state + i] = length > 0 ? (ELEMENT)c[i] : 0;
    }
  }
}
