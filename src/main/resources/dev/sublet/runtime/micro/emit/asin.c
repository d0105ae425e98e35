/* fdlibm, e_asin.c */
static double @asin(double x) {
  const double pio2_hi = 1.57079632679489655800e+00;
  const double pio2_lo = 6.12323399573676603587e-17;
  const int32_t high = @high(x);
  const int32_t size = high & 0x7fffffff;
  if (size >= 0x3ff00000) {
    if (((size - 0x3ff00000) | (int32_t)(@low(x) != 0)) == 0) return x * pio2_hi + x * pio2_lo;
    return NAN;
  }
  double t;
  if (size < 0x3fe00000) {
    if (size < 0x3e400000) return x;
    t = x * x;
  } else {
    t = (1.0 - fabs(x)) * 0.5;
  }
  const double p =
      t
      * (1.66666666666666657415e-01
         + t
               * (-3.25565818622400915405e-01
                  + t
                        * (2.01212532134862925881e-01
                           + t
                                 * (-4.00555345006794114027e-02
                                    + t * (7.91534994289814532176e-04 + t * 3.47933107596021167570e-05)))));
  const double q =
      1.0
      + t
            * (-2.40339491173441421878e+00
               + t
                     * (2.02094576023350569471e+00
                        + t * (-6.88283971605453293030e-01 + t * 7.70381505559019352791e-02)));
  if (size < 0x3fe00000) return x + x * (p / q);
  const double s = sqrt(t);
  if (size >= 0x3FEF3333) {
    t = pio2_hi - (2.0 * (s + s * (p / q)) - pio2_lo);
  } else {
    const double w = @with_low_zero(s);
    const double c = (t - w * w) / (s + w);
    const double r = p / q;
    const double lower = 2.0 * s * r - (pio2_lo - 2.0 * c);
    const double upper = 7.85398163397448278999e-01 - 2.0 * w;
    t = 7.85398163397448278999e-01 - (lower - upper);
  }
  return high > 0 ? t : -t;
}
