/* The error function for 53 bits, after Boost (boost/math/special_functions/erf.hpp, John Maddock
 * 2006, Boost Software License 1.0). */
static double @erf(double x) {
  if (x != x) return NAN;
  if (x < 0) return -@erf(-x);
  if (x < 0.5) {
    if (x < 1e-10) return x == 0 ? x : x * 1.125 + x * 0.0033791670955125737;
    const double z = x * x;
    double p = -3.227801209646057E-4;
    p = -0.007727583458021333 + p * z;
    p = -0.050999073514677744 + p * z;
    p = -0.3381651344593609 + p * z;
    p = 0.08343058921465318 + p * z;
    double q = 3.70900071787748E-4;
    q = 0.008585719250744061 + q * z;
    q = 0.08752226001422525 + q * z;
    q = 0.455004033050794 + q * z;
    q = 1 + q * z;
    return x * (1.0449485778808594 + p / q);
  }
  if (!(x < 5.9306640625)) return 1;
  double result;
  if (x < 1.5) {
    const double z = x - 0.5;
    double p = 0.0018042453829701423;
    p = 0.01950490012512188 + p * z;
    p = 0.08889003689678844 + p * z;
    p = 0.19100369579677542 + p * z;
    p = 0.17811466584112035 + p * z;
    p = -0.09809059221628125 + p * z;
    double q = 3.3751147248309467E-6;
    q = 0.011338523357700142 + q * z;
    q = 0.12385097467900864 + q * z;
    q = 0.5780528048899024 + q * z;
    q = 1.4262800484551132 + q * z;
    q = 1.8475907098300222 + q * z;
    q = 1 + q * z;
    result = 0.40593576431274414 + p / q;
  } else if (x < 2.5) {
    const double z = x - 1.5;
    double p = 2.3583911559688073E-4;
    p = 0.0032396240629084215 + p * z;
    p = 0.017567943631180208 + p * z;
    p = 0.04394818964209516 + p * z;
    p = 0.03865403750357072 + p * z;
    p = -0.024350047620769845 + p * z;
    double q = 0.004103697239789046;
    q = 0.05639218374204782 + q * z;
    q = 0.3257329247824444 + q * z;
    q = 0.9824037091579202 + q * z;
    q = 1.5399149494855244 + q * z;
    q = 1 + q * z;
    result = 0.5067281723022461 + p / q;
  } else if (x < 4.0) {
    const double z = x - 3.5;
    double p = 1.1321240664884757E-5;
    p = 2.5026996154479465E-4 + p * z;
    p = 0.0021282562091461863 + p * z;
    p = 0.008408076155555853 + p * z;
    p = 0.013738442589635533 + p * z;
    p = 0.0029527671653097167 + p * z;
    double q = 4.7941126952171447E-4;
    q = 0.010598290648487654 + q * z;
    q = 0.09584927263010615 + q * z;
    q = 0.4425976594815631 + q * z;
    q = 1.0421781416693843 + q * z;
    q = 1 + q * z;
    result = 0.5405750274658203 + p / q;
  } else {
    const double z = 1 / (x * x);
    double p = 0.016315387137302097;
    p = 0.30532663496123236 + p * z;
    p = 0.36034489994980445 + p * z;
    p = 0.12578172611122926 + p * z;
    p = 0.016083785148742275 + p * z;
    p = 6.587491615298378E-4 + p * z;
    double q = 1;
    q = 2.568520192289822 + q * z;
    q = 1.8729528499234604 + q * z;
    q = 0.5279051029514285 + q * z;
    q = 0.06051834131244132 + q * z;
    q = 0.0023352049762686918 + q * z;
    result = (0.5641895835477563 - z * p / q) / x;
  }
  /* exp(-x * x), with the error of the square (Dekker 1971) */
  const double square = x * x;
  const double c = x * 0x1.0000002p27;
  const double upper = c - (c - x);
  const double lower = x - upper;
  const double error = lower * lower - ((square - upper * upper) - 2 * lower * upper);
  const double e = @exp(-square);
  const double scale = e * -error + e;
  return x < 4.0 ? 1 - result * (scale / x) : 1 - result * scale;
}
