/* fdlibm, e_acos.c */
static double @acos_part(double z) {
  const double p =
      z
      * (1.66666666666666657415e-01
         + z
               * (-3.25565818622400915405e-01
                  + z
                        * (2.01212532134862925881e-01
                           + z
                                 * (-4.00555345006794114027e-02
                                    + z * (7.91534994289814532176e-04 + z * 3.47933107596021167570e-05)))));
  const double q =
      1.0
      + z
            * (-2.40339491173441421878e+00
               + z
                     * (2.02094576023350569471e+00
                        + z * (-6.88283971605453293030e-01 + z * 7.70381505559019352791e-02)));
  return p / q;
}

static double @acos(double x) {
  const double pi = 3.14159265358979311600e+00;
  const double pio2_hi = 1.57079632679489655800e+00;
  const double pio2_lo = 6.12323399573676603587e-17;
  const int32_t high = @high(x);
  const int32_t size = high & 0x7fffffff;
  if (size >= 0x3ff00000) {
    if (((size - 0x3ff00000) | (int32_t)(@low(x) != 0)) == 0) {
      return high > 0 ? 0.0 : pi + 2.0 * pio2_lo;
    }
    return NAN;
  }
  if (size < 0x3fe00000) {
    if (size <= 0x3c600000) return pio2_hi + pio2_lo;
    return pio2_hi - (x - (pio2_lo - x * @acos_part(x * x)));
  }
  if (high < 0) {
    const double z = (1.0 + x) * 0.5;
    const double s = sqrt(z);
    const double w = @acos_part(z) * s - pio2_lo;
    return pi - 2.0 * (s + w);
  }
  const double z = (1.0 - x) * 0.5;
  const double s = sqrt(z);
  const double upper = @with_low_zero(s);
  const double c = (z - upper * upper) / (s + upper);
  const double w = @acos_part(z) * s + c;
  return 2.0 * (upper + w);
}
