/* fdlibm, s_cos.c */
static double @cos(double x) {
  const int32_t size = @high(x) & 0x7fffffff;
  if (size <= 0x3fe921fb) return @cosine_of(x, 0);
  if (size >= 0x7ff00000) return NAN;
  double y[2];
  switch (@reduce(x, y) & 3) {
    case 0: return @cosine_of(y[0], y[1]);
    case 1: return -@sine_of(y[0], y[1], 1);
    case 2: return -@cosine_of(y[0], y[1]);
    default: return @sine_of(y[0], y[1], 1);
  }
}
