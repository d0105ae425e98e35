/* fdlibm, e_exp.c */
static double @exp(double x) {
  const uint32_t high = (uint32_t)@high(x);
  const int negative = (int)(high >> 31);
  const uint32_t size = high & 0x7fffffff;
  double rest = x;
  double hi = 0;
  double lo = 0;
  int32_t k = 0;
  if (size >= 0x40862E42) {
    if (size >= 0x7ff00000) return x != x ? x : negative ? 0 : x;
    if (x > 7.09782712893383973096e+02) return INFINITY;
    if (x < -7.45133219101941108420e+02) return 0;
  }
  if (size > 0x3fd62e42) {
    if (size < 0x3FF0A2B2) {
      k = 1 - negative - negative;
      hi = x - (negative ? -6.93147180369123816490e-01 : 6.93147180369123816490e-01);
      lo = negative ? -1.90821492927058770002e-10 : 1.90821492927058770002e-10;
    } else {
      k = (int32_t)(1.44269504088896338700e+00 * x + (negative ? -0.5 : 0.5));
      hi = x - k * 6.93147180369123816490e-01;
      lo = k * 1.90821492927058770002e-10;
    }
    rest = hi - lo;
  } else if (size < 0x3e300000) {
    return 1.0 + x;
  }
  const double t = rest * rest;
  const double c =
      rest
      - t
            * (1.66666666666666019037e-01
               + t
                     * (-2.77777777770155933842e-03
                        + t
                              * (6.61375632143793436117e-05
                                 + t
                                       * (-1.65339022054652515390e-06
                                          + t * 4.13813679705723846039e-08))));
  if (k == 0) return 1.0 - ((rest * c) / (c - 2.0) - rest);
  const double y = 1.0 - ((lo - (rest * c) / (2.0 - c)) - hi);
  if (k >= -1021) {
    return k == 1024 ? y * 2.0 * 0x1p1023 : @scaled(y, k);
  }
  return @scaled(y, k + 1000) * 9.33263618503218878990e-302;
}
