/* fdlibm, k_tan.c and s_tan.c */
static double @tangent_of(double x, double y, int sign) {
  static const double t[13] = {
      3.33333333333334091986e-01, 1.33333333333201242699e-01, 5.39682539762260521377e-02,
      2.18694882948595424599e-02, 8.86323982359930005737e-03, 3.59207910759131235356e-03,
      1.45620945432529025516e-03, 5.88041240820264096874e-04, 2.46463134818469906812e-04,
      7.81794442939557092300e-05, 7.14072491382608190305e-05, -1.85586374855275456654e-05,
      2.59073051863633712884e-05};
  const int32_t high = @high(x);
  const int32_t size = high & 0x7fffffff;
  if (size < 0x3e300000 && (int)x == 0) {
    if (((uint32_t)size | @low(x) | (uint32_t)(sign + 1)) == 0) return INFINITY;
    if (sign == 1) return x;
    const double w = x + y;
    const double z = @with_low_zero(w);
    const double v = y - (z - x);
    const double a = -1.0 / w;
    const double b = @with_low_zero(a);
    const double s = 1.0 + b * z;
    return b + a * (s + b * v);
  }
  if (size >= 0x3FE59428) {
    if (high < 0) {
      x = -x;
      y = -y;
    }
    const double z = 7.85398163397448278999e-01 - x;
    const double w = 3.06161699786838301793e-17 - y;
    x = z + w;
    y = 0.0;
  }
  double z = x * x;
  double w = z * z;
  double r = t[1] + w * (t[3] + w * (t[5] + w * (t[7] + w * (t[9] + w * t[11]))));
  double v = z * (t[2] + w * (t[4] + w * (t[6] + w * (t[8] + w * (t[10] + w * t[12])))));
  double s = z * x;
  r = y + z * (s * (r + v) + y);
  r += t[0] * s;
  w = x + r;
  if (size >= 0x3FE59428) {
    v = (double)sign;
    return (double)(1 - ((high >> 30) & 2)) * (v - 2.0 * (x - (w * w / (w + v) - r)));
  }
  if (sign == 1) return w;
  z = @with_low_zero(w);
  v = r - (z - x);
  const double a = -1.0 / w;
  const double b = @with_low_zero(a);
  s = 1.0 + b * z;
  return b + a * (s + b * v);
}

static double @tan(double x) {
  const int32_t size = @high(x) & 0x7fffffff;
  if (size <= 0x3fe921fb) return @tangent_of(x, 0, 1);
  if (size >= 0x7ff00000) return NAN;
  double y[2];
  const int n = @reduce(x, y);
  return @tangent_of(y[0], y[1], (n & 1) == 0 ? 1 : -1);
}
