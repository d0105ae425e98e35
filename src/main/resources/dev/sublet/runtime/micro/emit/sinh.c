/* fdlibm, e_sinh.c */
static double @sinh(double x) {
  const int32_t high = @high(x);
  const int32_t size = high & 0x7fffffff;
  const double h = high < 0 ? -0.5 : 0.5;
  if (size >= 0x7ff00000) return x + x;
  if (size < 0x40360000) {
    if (size < 0x3e300000) return x;
    const double t = @expm1(fabs(x));
    return size < 0x3ff00000 ? h * (2.0 * t - t * t / (t + 1.0)) : h * (t + t / (t + 1.0));
  }
  if (size < 0x40862E42) return h * @exp(fabs(x));
  if ((@bits(x) & UINT64_C(0x7fffffffffffffff)) <= UINT64_C(0x408633ce8fb9f87d)) {
    const double w = @exp(0.5 * fabs(x));
    return h * w * w;
  }
  return x * 1.0e307 * 1.0e307;
}
