/* fdlibm, s_log1p.c */
static double @log1p(double x) {
  const double ln2_hi = 6.93147180369123816490e-01;
  const double ln2_lo = 1.90821492927058770002e-10;
  const int32_t high = @high(x);
  const int32_t size = high & 0x7fffffff;
  int32_t k = 1;
  int32_t hu = 1;
  double f = 0;
  double c = 0;
  if (high < 0x3FDA827A) {
    if (size >= 0x3ff00000) return x == -1.0 ? -INFINITY : NAN;
    if (size < 0x3e200000) return size < 0x3c900000 ? x : x - x * x * 0.5;
    if (high > 0 || high <= (int32_t)(0xbfd2bec3 - UINT32_C(0xffffffff) - 1)) {
      k = 0;
      f = x;
    }
  }
  if (high >= 0x7ff00000) return x + x;
  if (k != 0) {
    double u;
    if (high < 0x43400000) {
      u = 1.0 + x;
      hu = @high(u);
      k = (hu >> 20) - 1023;
      c = k > 0 ? 1.0 - (u - x) : x - (u - 1.0);
      c /= u;
    } else {
      u = x;
      hu = @high(u);
      k = (hu >> 20) - 1023;
      c = 0;
    }
    hu &= 0x000fffff;
    if (hu < 0x6a09e) {
      u = @with_high(u, hu | 0x3ff00000);
    } else {
      k += 1;
      u = @with_high(u, hu | 0x3fe00000);
      hu = (0x00100000 - hu) >> 2;
    }
    f = u - 1.0;
  }
  const double hfsq = 0.5 * f * f;
  if (hu == 0) {
    if (f == 0) {
      if (k == 0) return 0;
      c += k * ln2_lo;
      return k * ln2_hi + c;
    }
    const double r = hfsq * (1.0 - 0.66666666666666666 * f);
    return k == 0 ? f - r : k * ln2_hi - ((r - (k * ln2_lo + c)) - f);
  }
  const double s = f / (2.0 + f);
  const double z = s * s;
  const double r =
      z
      * (6.666666666666735130e-01
         + z
               * (3.999999999940941908e-01
                  + z
                        * (2.857142874366239149e-01
                           + z
                                 * (2.222219843214978396e-01
                                    + z
                                          * (1.818357216161805012e-01
                                             + z
                                                   * (1.531383769920937332e-01
                                                      + z * 1.479819860511658591e-01))))));
  return k == 0 ? f - (hfsq - s * (hfsq + r))
                : k * ln2_hi - ((hfsq - (s * (hfsq + r) + (k * ln2_lo + c))) - f);
}
