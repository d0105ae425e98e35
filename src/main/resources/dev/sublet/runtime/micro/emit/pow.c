/* fdlibm, e_pow.c; 1 to any power is 1, and -1 to an infinite one. */
static double @pow(double x, double y) {
  if (x == 1 || (x == -1 && isinf(y))) return 1;
  const int32_t hx = @high(x);
  const int32_t hy = @high(y);
  const uint32_t lx = @low(x);
  const uint32_t ly = @low(y);
  int32_t ix = hx & 0x7fffffff;
  const int32_t iy = hy & 0x7fffffff;
  if (y == 0) return 1;
  if (x != x || y != y) return NAN;
  int odd = 0; /* 0: y is no integer, 1: an odd one, 2: an even one */
  if (hx < 0) {
    if (iy >= 0x43400000) {
      odd = 2;
    } else if (iy >= 0x3ff00000) {
      const int32_t k = (iy >> 20) - 0x3ff;
      if (k > 20) {
        const uint32_t j = ly >> (52 - k);
        if (j << (52 - k) == ly) odd = 2 - (int)(j & 1);
      } else if (ly == 0) {
        const int32_t j = iy >> (20 - k);
        if (j << (20 - k) == iy) odd = 2 - (j & 1);
      }
    }
  }
  if (ly == 0) {
    if (iy == 0x7ff00000) {
      if (((uint32_t)(ix - 0x3ff00000) | lx) == 0) return NAN;
      return ix >= 0x3ff00000 ? (hy >= 0 ? y : 0) : (hy < 0 ? -y : 0);
    }
    if (iy == 0x3ff00000) return hy < 0 ? 1.0 / x : x;
    if (hy == 0x40000000) return x * x;
    if (hy == 0x3fe00000 && hx >= 0) return sqrt(x);
  }
  double ax = fabs(x);
  if (lx == 0 && (ix == 0x7ff00000 || ix == 0 || ix == 0x3ff00000)) {
    double z = hy < 0 ? 1.0 / ax : ax;
    if (hx < 0) {
      if (ix == 0x3ff00000 && odd == 0) {
        z = NAN;
      } else if (odd == 1) {
        z = -z;
      }
    }
    return z;
  }
  if (hx < 0 && odd == 0) return NAN;
  const double s = hx < 0 && odd == 1 ? -1.0 : 1.0;
  double t1;
  double t2;
  if (iy > 0x41e00000) {
    if (iy > 0x43f00000) {
      if (ix <= 0x3fefffff) return hy < 0 ? INFINITY : 0;
      return hy > 0 ? INFINITY : 0;
    }
    if (ix < 0x3fefffff) return hy < 0 ? s * INFINITY : s * 0.0;
    if (ix > 0x3ff00000) return hy > 0 ? s * INFINITY : s * 0.0;
    const double t = ax - 1.0;
    const double w = (t * t) * (0.5 - t * (0.3333333333333333333333 - t * 0.25));
    const double u = 1.44269502162933349609e+00 * t;
    const double v = t * 1.92596299112661746887e-08 - w * 1.44269504088896338700e+00;
    t1 = @with_low_zero(u + v);
    t2 = v - (t1 - u);
  } else {
    int32_t n = 0;
    if (ix < 0x00100000) {
      ax *= 0x1p53;
      n -= 53;
      ix = @high(ax);
    }
    n += (ix >> 20) - 0x3ff;
    const int32_t j = ix & 0x000fffff;
    ix = j | 0x3ff00000;
    int k = 0;
    if (j > 0x3988E) {
      if (j < 0xBB67A) {
        k = 1;
      } else {
        n += 1;
        ix -= 0x00100000;
      }
    }
    ax = @with_high(ax, ix);
    const double bp = k ? 1.5 : 1.0;
    const double dp_h = k ? 5.84962487220764160156e-01 : 0.0;
    const double dp_l = k ? 1.35003920212974897128e-08 : 0.0;
    const double u = ax - bp;
    const double v = 1.0 / (ax + bp);
    const double ss = u * v;
    const double s_h = @with_low_zero(ss);
    double t_h =
        @number((uint64_t)(uint32_t)(((ix >> 1) | 0x20000000) + 0x00080000 + (k << 18)) << 32);
    double t_l = ax - (t_h - bp);
    const double s_l = v * ((u - s_h * t_h) - s_h * t_l);
    double s2 = ss * ss;
    double r =
        s2 * s2
        * (5.99999999999994648725e-01
           + s2
                 * (4.28571428578550184252e-01
                    + s2
                          * (3.33333329818377432918e-01
                             + s2
                                   * (2.72728123808534006489e-01
                                      + s2
                                            * (2.30660745775561754067e-01
                                               + s2 * 2.06975017800338417784e-01)))));
    r += s_l * (s_h + ss);
    s2 = s_h * s_h;
    t_h = @with_low_zero(3.0 + s2 + r);
    t_l = r - ((t_h - 3.0) - s2);
    const double u2 = s_h * t_h;
    const double v2 = s_l * t_h + t_l * ss;
    const double p_h = @with_low_zero(u2 + v2);
    const double p_l = v2 - (p_h - u2);
    const double z_h = 9.61796700954437255859e-01 * p_h;
    const double z_l =
        -7.02846165095275826516e-09 * p_h + p_l * 9.61796693925975554329e-01 + dp_l;
    const double t = n;
    t1 = @with_low_zero(((z_h + z_l) + dp_h) + t);
    t2 = z_l - (((t1 - t) - dp_h) - z_h);
  }
  const double y1 = @with_low_zero(y);
  double p_l = (y - y1) * t1 + y * t2;
  double p_h = y1 * t1;
  double z = p_l + p_h;
  int32_t j = @high(z);
  const int32_t i = (int32_t)@low(z);
  if (j >= 0x40900000) {
    if (((j - 0x40900000) | i) != 0) return s * INFINITY;
    if (p_l + 8.0085662595372944372e-0017 > z - p_h) return s * INFINITY;
  } else if ((j & 0x7fffffff) >= 0x4090cc00) {
    if (((uint32_t)j - 0xc090cc00) != 0 || i != 0) return s * 0.0;
    if (p_l <= z - p_h) return s * 0.0;
  }
  const int32_t size = j & 0x7fffffff;
  int32_t k = (size >> 20) - 0x3ff;
  int32_t n = 0;
  if (size > 0x3fe00000) {
    n = j + (0x00100000 >> (k + 1));
    k = ((n & 0x7fffffff) >> 20) - 0x3ff;
    const double t = @number((uint64_t)(uint32_t)(n & ~(0x000fffff >> k)) << 32);
    n = ((n & 0x000fffff) | 0x00100000) >> (20 - k);
    if (j < 0) n = -n;
    p_h -= t;
  }
  const double t = @with_low_zero(p_l + p_h);
  const double u = t * 6.93147182464599609375e-01;
  const double v = (p_l - (t - p_h)) * 6.93147180559945286227e-01 + t * -1.90465429995776804525e-09;
  z = u + v;
  const double w = v - (z - u);
  const double zz = z * z;
  const double c =
      z
      - zz
            * (1.66666666666666019037e-01
               + zz
                     * (-2.77777777770155933842e-03
                        + zz
                              * (6.61375632143793436117e-05
                                 + zz
                                       * (-1.65339022054652515390e-06
                                          + zz * 4.13813679705723846039e-08))));
  const double r = (z * c) / (c - 2.0) - (w + z * w);
  z = 1.0 - (r - z);
  j = @high(z) + (int32_t)((uint32_t)n << 20);
  return s * ((j >> 20) <= 0 ? ldexp(z, n) : @with_high(z, j));
}
