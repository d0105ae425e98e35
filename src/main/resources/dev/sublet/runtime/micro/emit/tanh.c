/* fdlibm, s_tanh.c */
static double @tanh(double x) {
  const int32_t high = @high(x);
  const int32_t size = high & 0x7fffffff;
  if (size >= 0x7ff00000) return high >= 0 ? 1.0 / x + 1.0 : 1.0 / x - 1.0;
  double z = 1.0;
  if (size < 0x40360000) {
    if (size < 0x3c800000) return x * (1.0 + x);
    if (size >= 0x3ff00000) {
      z = 1.0 - 2.0 / (@expm1(2.0 * fabs(x)) + 2.0);
    } else {
      const double t = @expm1(-2.0 * fabs(x));
      z = -t / (t + 2.0);
    }
  }
  return high >= 0 ? z : -z;
}
