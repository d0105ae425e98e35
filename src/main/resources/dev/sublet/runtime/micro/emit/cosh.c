/* fdlibm, e_cosh.c */
static double @cosh(double x) {
  const int32_t size = @high(x) & 0x7fffffff;
  if (size >= 0x7ff00000) return x * x;
  if (size < 0x3fd62e43) {
    const double t = @expm1(fabs(x));
    const double w = 1.0 + t;
    return size < 0x3c800000 ? w : 1.0 + (t * t) / (w + w);
  }
  if (size < 0x40360000) {
    const double t = @exp(fabs(x));
    return 0.5 * t + 0.5 / t;
  }
  if (size < 0x40862E42) return 0.5 * @exp(fabs(x));
  if ((@bits(x) & UINT64_C(0x7fffffffffffffff)) <= UINT64_C(0x408633ce8fb9f87d)) {
    const double w = @exp(0.5 * fabs(x));
    return 0.5 * w * w;
  }
  return INFINITY;
}
