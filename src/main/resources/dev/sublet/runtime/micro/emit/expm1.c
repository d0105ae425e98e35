/* fdlibm, s_expm1.c */
static double @expm1(double x) {
  const uint32_t high = (uint32_t)@high(x);
  const int negative = (int)(high >> 31);
  const uint32_t size = high & 0x7fffffff;
  double c = 0;
  int32_t k = 0;
  if (size >= 0x4043687A) {
    if (size >= 0x40862E42) {
      if (size >= 0x7ff00000) return x != x ? x : negative ? -1.0 : x;
      if (x > 7.09782712893383973096e+02) return INFINITY;
    }
    if (negative) return -1.0;
  }
  if (size > 0x3fd62e42) {
    double hi;
    double lo;
    if (size < 0x3FF0A2B2) {
      hi = negative ? x + 6.93147180369123816490e-01 : x - 6.93147180369123816490e-01;
      lo = negative ? -1.90821492927058770002e-10 : 1.90821492927058770002e-10;
      k = negative ? -1 : 1;
    } else {
      k = (int32_t)(1.44269504088896338700e+00 * x + (negative ? -0.5 : 0.5));
      hi = x - k * 6.93147180369123816490e-01;
      lo = k * 1.90821492927058770002e-10;
    }
    x = hi - lo;
    c = (hi - x) - lo;
  } else if (size < 0x3c900000) {
    return x;
  }
  const double hfx = 0.5 * x;
  const double hxs = x * hfx;
  const double r1 =
      1.0
      + hxs
            * (-3.33333333333331316428e-02
               + hxs
                     * (1.58730158725481460165e-03
                        + hxs
                              * (-7.93650757867487942473e-05
                                 + hxs
                                       * (4.00821782732936239552e-06
                                          + hxs * -2.01099218183624371326e-07))));
  double t = 3.0 - r1 * hfx;
  double e = hxs * ((r1 - t) / (6.0 - x * t));
  if (k == 0) return x - (x * e - hxs);
  e = x * (e - c) - c;
  e -= hxs;
  if (k == -1) return 0.5 * (x - e) - 0.5;
  if (k == 1) return x < -0.25 ? -2.0 * (e - (x + 0.5)) : 1.0 + 2.0 * (x - e);
  if (k <= -2 || k > 56) {
    const double y = 1.0 - (e - x);
    return (k == 1024 ? y * 2.0 * 0x1p1023 : @scaled(y, k)) - 1.0;
  }
  if (k < 20) {
    t = @number((uint64_t)(0x3ff00000 - (0x200000 >> k)) << 32);
    return @scaled(t - (e - x), k);
  }
  t = @number((uint64_t)(uint32_t)(0x3ff - k) << 52);
  return @scaled(x - (e + t) + 1.0, k);
}
