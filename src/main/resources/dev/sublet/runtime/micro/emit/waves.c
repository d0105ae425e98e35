/* fdlibm, k_sin.c and k_cos.c */
static double @sine_of(double x, double y, int has_rest) {
  const int32_t size = @high(x) & 0x7fffffff;
  if (size < 0x3e400000 && (int)x == 0) return x;
  const double z = x * x;
  const double v = z * x;
  const double r =
      8.33333333332248946124e-03
      + z
            * (-1.98412698298579493134e-04
               + z
                     * (2.75573137070700676789e-06
                        + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)));
  if (!has_rest) return x + v * (-1.66666666666666324348e-01 + z * r);
  return x - ((z * (0.5 * y - v * r) - y) - v * -1.66666666666666324348e-01);
}

static double @cosine_of(double x, double y) {
  const int32_t size = @high(x) & 0x7fffffff;
  if (size < 0x3e400000 && (int)x == 0) return 1.0;
  const double z = x * x;
  const double r =
      z
      * (4.16666666666666019037e-02
         + z
               * (-1.38888888888741095749e-03
                  + z
                        * (2.48015872894767294178e-05
                           + z
                                 * (-2.75573143513906633035e-07
                                    + z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11)))));
  if (size < 0x3FD33333) return 1.0 - (0.5 * z - (z * r - x * y));
  const double qx =
      size > 0x3fe90000 ? 0.28125 : @number((uint64_t)(uint32_t)(size - 0x00200000) << 32);
  const double hz = 0.5 * z - qx;
  const double a = 1.0 - qx;
  return a - (hz - (z * r - x * y));
}
