/* fdlibm, k_rem_pio2.c and e_rem_pio2.c */
static int @reduce_large(const double *x, double *y, int e0, int nx) {
  /* 2/pi in base 2^24 */
  static const int32_t two_over_pi[66] = {
      0xA2F983, 0x6E4E44, 0x1529FC, 0x2757D1, 0xF534DD, 0xC0DB62, 0x95993C, 0x439041,
      0xFE5163, 0xABDEBB, 0xC561B7, 0x246E3A, 0x424DD2, 0xE00649, 0x2EEA09, 0xD1921C,
      0xFE1DEB, 0x1CB129, 0xA73EE8, 0x8235F5, 0x2EBB44, 0x84E99C, 0x7026B4, 0x5F7E41,
      0x3991D6, 0x398353, 0x39F49C, 0x845F8B, 0xBDF928, 0x3B1FF8, 0x97FFDE, 0x05980F,
      0xEF2F11, 0x8B5A0A, 0x6D1F6D, 0x367ECF, 0x27CB09, 0xB74F46, 0x3F669E, 0x5FEA2D,
      0x7527BA, 0xC7EBE5, 0xF17B3D, 0x0739F7, 0x8A5292, 0xEA6BFB, 0x5FB11F, 0x8D5D08,
      0x560330, 0x46FC7B, 0x6BABF0, 0xCFBC20, 0x9AF436, 0x1DA9E3, 0x91615E, 0xE61B08,
      0x659985, 0x5F14A0, 0x68408D, 0xFFD880, 0x4D7327, 0x310606, 0x1556CA, 0x73A8C9,
      0x60E27B, 0xC08C6B,
  };
  static const double pio2[8] = {
      1.57079625129699707031e+00, 7.54978941586159635335e-08, 5.39030252995776476554e-15,
      3.28200341580791294123e-22, 1.27065575308067607349e-29, 1.22933308981111328932e-36,
      2.73370053816464559624e-44, 2.16741683877804819444e-51};
  int32_t iq[20];
  double f[20];
  double fq[20];
  double q[20];
  const int jk = 4;
  const int jx = nx - 1;
  int jv = (e0 - 3) / 24;
  if (jv < 0) jv = 0;
  int q0 = e0 - 24 * (jv + 1);
  int jz = jk;
  int n;
  int ih;
  double z;
  for (int i = 0, j = jv - jx; i <= jx + jk; i++, j++) f[i] = j < 0 ? 0.0 : (double)two_over_pi[j];
  for (int i = 0; i <= jk; i++) {
    double fw = 0.0;
    for (int j = 0; j <= jx; j++) fw += x[j] * f[jx + i - j];
    q[i] = fw;
  }
  for (;;) {
    z = q[jz];
    for (int i = 0, j = jz; j > 0; i++, j--) {
      const double fw = (double)(int32_t)(0x1p-24 * z);
      iq[i] = (int32_t)(z - 0x1p24 * fw);
      z = q[j - 1] + fw;
    }
    z = ldexp(z, q0);
    z -= 8.0 * floor(z * 0.125);
    n = (int)z;
    z -= (double)n;
    ih = 0;
    if (q0 > 0) {
      const int32_t i = iq[jz - 1] >> (24 - q0);
      n += i;
      iq[jz - 1] -= i << (24 - q0);
      ih = iq[jz - 1] >> (23 - q0);
    } else if (q0 == 0) {
      ih = iq[jz - 1] >> 23;
    } else if (z >= 0.5) {
      ih = 2;
    }
    if (ih > 0) {
      int carry = 0;
      n += 1;
      for (int i = 0; i < jz; i++) {
        const int32_t j = iq[i];
        if (carry == 0) {
          if (j != 0) {
            carry = 1;
            iq[i] = 0x1000000 - j;
          }
        } else {
          iq[i] = 0xffffff - j;
        }
      }
      if (q0 == 1) iq[jz - 1] &= 0x7fffff;
      if (q0 == 2) iq[jz - 1] &= 0x3fffff;
      if (ih == 2) {
        z = 1.0 - z;
        if (carry != 0) z -= ldexp(1.0, q0);
      }
    }
    if (z != 0.0) break;
    int32_t j = 0;
    for (int i = jz - 1; i >= jk; i--) j |= iq[i];
    if (j != 0) break;
    int k = 1;
    while (iq[jk - k] == 0) k++;
    for (int i = jz + 1; i <= jz + k; i++) {
      f[jx + i] = (double)two_over_pi[jv + i];
      double fw = 0.0;
      for (int m = 0; m <= jx; m++) fw += x[m] * f[jx + i - m];
      q[i] = fw;
    }
    jz += k;
  }
  if (z == 0.0) {
    jz -= 1;
    q0 -= 24;
    while (iq[jz] == 0) {
      jz--;
      q0 -= 24;
    }
  } else {
    z = ldexp(z, -q0);
    if (z >= 0x1p24) {
      const double fw = (double)(int32_t)(0x1p-24 * z);
      iq[jz] = (int32_t)(z - 0x1p24 * fw);
      jz += 1;
      q0 += 24;
      iq[jz] = (int32_t)fw;
    } else {
      iq[jz] = (int32_t)z;
    }
  }
  double scale = ldexp(1.0, q0);
  for (int i = jz; i >= 0; i--) {
    q[i] = scale * (double)iq[i];
    scale *= 0x1p-24;
  }
  for (int i = jz; i >= 0; i--) {
    double fw = 0.0;
    for (int k = 0; k <= jk && k <= jz - i; k++) fw += pio2[k] * q[i + k];
    fq[jz - i] = fw;
  }
  double fw = 0.0;
  for (int i = jz; i >= 0; i--) fw += fq[i];
  y[0] = ih == 0 ? fw : -fw;
  fw = fq[0] - fw;
  for (int i = 1; i <= jz; i++) fw += fq[i];
  y[1] = ih == 0 ? fw : -fw;
  return n & 7;
}

/* The remainder of a division by pi/2, as a sum of two numbers, and the quotient modulo 8. */
static int @reduce(double x, double *y) {
  const double pio2_1 = 1.57079632673412561417e+00;
  const double pio2_1t = 6.07710050650619224932e-11;
  const double pio2_2 = 6.07710050630396597660e-11;
  const double pio2_2t = 2.02226624879595063154e-21;
  const double pio2_3 = 2.02226624871116645580e-21;
  const double pio2_3t = 8.47842766036889956997e-32;
  const int32_t high = @high(x);
  const int32_t size = high & 0x7fffffff;
  if (size <= 0x3fe921fb) {
    y[0] = x;
    y[1] = 0;
    return 0;
  }
  if (size < 0x4002d97c) {
    const double s = high > 0 ? 1.0 : -1.0;
    double z = x - s * pio2_1;
    if (size != 0x3ff921fb) {
      y[0] = z - s * pio2_1t;
      y[1] = (z - y[0]) - s * pio2_1t;
    } else {
      z -= s * pio2_2;
      y[0] = z - s * pio2_2t;
      y[1] = (z - y[0]) - s * pio2_2t;
    }
    return high > 0 ? 1 : -1;
  }
  if (size <= 0x413921fb) {
    double t = fabs(x);
    const int n = (int)(t * 6.36619772367581382433e-01 + 0.5);
    const double fn = (double)n;
    double r = t - fn * pio2_1;
    double w = fn * pio2_1t;
    /* The first test of fdlibm, a table of multiples of pi/2, only saves the second step. */
    const int j = size >> 20;
    y[0] = r - w;
    if (j - ((@high(y[0]) >> 20) & 0x7ff) > 16) {
      t = r;
      w = fn * pio2_2;
      r = t - w;
      w = fn * pio2_2t - ((t - r) - w);
      y[0] = r - w;
      if (j - ((@high(y[0]) >> 20) & 0x7ff) > 49) {
        t = r;
        w = fn * pio2_3;
        r = t - w;
        w = fn * pio2_3t - ((t - r) - w);
        y[0] = r - w;
      }
    }
    y[1] = (r - y[0]) - w;
    if (high < 0) {
      y[0] = -y[0];
      y[1] = -y[1];
      return -n;
    }
    return n;
  }
  if (size >= 0x7ff00000) {
    y[0] = NAN;
    y[1] = NAN;
    return 0;
  }
  const int e0 = (int)(size >> 20) - 1046;
  double z = @number((@bits(x) & UINT64_C(0x7fffffffffffffff)) - ((uint64_t)(uint32_t)e0 << 52));
  double parts[3];
  for (int i = 0; i < 2; i++) {
    parts[i] = (double)(int32_t)z;
    z = (z - parts[i]) * 0x1p24;
  }
  parts[2] = z;
  int nx = 3;
  while (parts[nx - 1] == 0) nx--;
  const int n = @reduce_large(parts, y, e0, nx);
  if (high < 0) {
    y[0] = -y[0];
    y[1] = -y[1];
    return -n;
  }
  return n;
}
