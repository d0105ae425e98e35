/* fdlibm, e_log.c */
static double @log(double x) {
  int32_t high = @high(x);
  int32_t k = 0;
  if (high < 0x00100000) {
    if (((high & 0x7fffffff) | (int32_t)(@low(x) != 0)) == 0) return -INFINITY;
    if (high < 0) return NAN;
    k -= 54;
    x *= 0x1p54;
    high = @high(x);
  }
  if (high >= 0x7ff00000) return x + x;
  k += (high >> 20) - 1023;
  high &= 0x000fffff;
  int32_t i = (high + 0x95f64) & 0x100000;
  x = @with_high(x, high | (i ^ 0x3ff00000));
  k += i >> 20;
  const double f = x - 1.0;
  const double dk = k;
  const double ln2_hi = 6.93147180369123816490e-01;
  const double ln2_lo = 1.90821492927058770002e-10;
  if ((0x000fffff & (2 + high)) < 3) {
    if (f == 0) return k == 0 ? 0 : dk * ln2_hi + dk * ln2_lo;
    const double r = f * f * (0.5 - 0.33333333333333333 * f);
    return k == 0 ? f - r : dk * ln2_hi - ((r - dk * ln2_lo) - f);
  }
  const double s = f / (2.0 + f);
  const double z = s * s;
  const double w = z * z;
  const double t1 =
      w * (3.999999999940941908e-01 + w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01));
  const double t2 =
      z
      * (6.666666666666735130e-01
         + w
               * (2.857142874366239149e-01
                  + w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)));
  const double r = t2 + t1;
  i = (high - 0x6147a) | (0x6b851 - high);
  if (i > 0) {
    const double hfsq = 0.5 * f * f;
    return k == 0 ? f - (hfsq - s * (hfsq + r))
                  : dk * ln2_hi - ((hfsq - (s * (hfsq + r) + dk * ln2_lo)) - f);
  }
  return k == 0 ? f - s * (f - r) : dk * ln2_hi - ((s * (f - r) - dk * ln2_lo) - f);
}
