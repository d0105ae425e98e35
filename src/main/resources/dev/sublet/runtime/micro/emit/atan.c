/* fdlibm, s_atan.c */
static double @atan(double x) {
  static const double atanhi[4] = {
      4.63647609000806093515e-01, 7.85398163397448278999e-01, 9.82793723247329054082e-01,
      1.57079632679489655800e+00};
  static const double atanlo[4] = {
      2.26987774529616870924e-17, 3.06161699786838301793e-17, 1.39033110312309984516e-17,
      6.12323399573676603587e-17};
  const int32_t high = @high(x);
  const int32_t size = high & 0x7fffffff;
  int id = -1;
  if (size >= 0x44100000) {
    if (x != x) return x + x;
    return high > 0 ? atanhi[3] + atanlo[3] : -atanhi[3] - atanlo[3];
  }
  if (size < 0x3fdc0000) {
    if (size < 0x3e200000) return x;
  } else {
    x = fabs(x);
    if (size < 0x3ff30000) {
      if (size < 0x3fe60000) {
        id = 0;
        x = (2.0 * x - 1.0) / (2.0 + x);
      } else {
        id = 1;
        x = (x - 1.0) / (x + 1.0);
      }
    } else if (size < 0x40038000) {
      id = 2;
      x = (x - 1.5) / (1.0 + 1.5 * x);
    } else {
      id = 3;
      x = -1.0 / x;
    }
  }
  const double z = x * x;
  const double w = z * z;
  const double s1 =
      z
      * (3.33333333333329318027e-01
         + w
               * (1.42857142725034663711e-01
                  + w
                        * (9.09088713343650656196e-02
                           + w
                                 * (6.66107313738753120669e-02
                                    + w * (4.97687799461593236017e-02 + w * 1.62858201153657823623e-02)))));
  const double s2 =
      w
      * (-1.99999999998764832476e-01
         + w
               * (-1.11111104054623557880e-01
                  + w
                        * (-7.69187620504482999495e-02
                           + w * (-5.83357013379057348645e-02 + w * -3.65315727442169155270e-02))));
  if (id < 0) return x - x * (s1 + s2);
  const double r = atanhi[id] - ((x * (s1 + s2) - atanlo[id]) - x);
  return high < 0 ? -r : r;
}
