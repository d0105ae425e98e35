/* fdlibm, s_sin.c */
static double @sin(double x) {
  const int32_t size = @high(x) & 0x7fffffff;
  if (size <= 0x3fe921fb) return @sine_of(x, 0, 0);
  if (size >= 0x7ff00000) return NAN;
  double y[2];
  switch (@reduce(x, y) & 3) {
    case 0: return @sine_of(y[0], y[1], 1);
    case 1: return @cosine_of(y[0], y[1]);
    case 2: return -@sine_of(y[0], y[1], 1);
    default: return -@cosine_of(y[0], y[1]);
  }
}
