package dev.sublet.runtime.micro.emit;

import java.util.EnumSet;
import java.util.Locale;

/**
 * C functions for operations whose semantics in a micro program differ from C's. In the sources,
 * {@code @} stands for the prefix that separates the functions of two programs in one file.
 */
enum CHelper {
  INSIDE("static inline int @inside(int64_t i, int64_t extent) { return i >= 0 && i < extent; }"),
  /**
   * Division that rounds towards minus infinity. Division by 0, an error of the program, gives 0.
   */
  FLOOR_DIVIDE_INDEX(
      """
      static inline int64_t @floor_divide_index(int64_t a, int64_t b) {
        if (b == 0) return 0;
        if (b == -1) return (int64_t)(0 - (uint64_t)a);
        return a / b - (a % b != 0 && (a < 0) != (b < 0));
      }"""),
  ROUND_BYTES(
      """
      static inline size_t @round_bytes(size_t bytes) { return (bytes + 15) / 16 * 16; }"""),
  /**
   * A choice of two values. With {@code ?:} between two loads, gcc 12 writes wrong vector code for
   * AVX at -O3; both values are computed in micro programs, too.
   */
  SELECT_F32(select("f32", "float")),
  SELECT_F64(select("f64", "double")),
  SELECT_I64(select("i64", "int64_t")),
  SELECT_I32(select("i32", "int32_t")),
  SELECT_I8(select("i8", "int8_t")),
  SELECT_U8(select("u8", "uint8_t")),
  ADD_I32(wrapping32("add", "+")),
  ADD_I64(wrapping64("add", "+")),
  SUBTRACT_I32(wrapping32("subtract", "-")),
  SUBTRACT_I64(wrapping64("subtract", "-")),
  MULTIPLY_I32(wrapping32("multiply", "*")),
  MULTIPLY_I64(wrapping64("multiply", "*")),
  DIVIDE_I32(
      """
      static inline int32_t @divide_i32(int32_t a, int32_t b) {
        return b == 0 ? 0 : b == -1 ? (int32_t)(0 - (uint32_t)a) : a / b;
      }"""),
  DIVIDE_I64(
      """
      static inline int64_t @divide_i64(int64_t a, int64_t b) {
        return b == 0 ? 0 : b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
      }"""),
  FLOOR_DIVIDE_I32(
      """
      static inline int32_t @floor_divide_i32(int32_t a, int32_t b) {
        if (b == 0) return 0;
        if (b == -1) return (int32_t)(0 - (uint32_t)a);
        return a / b - (a % b != 0 && (a < 0) != (b < 0));
      }"""),
  FLOOR_DIVIDE_I64(
      """
      static inline int64_t @floor_divide_i64(int64_t a, int64_t b) {
        if (b == 0) return 0;
        if (b == -1) return (int64_t)(0 - (uint64_t)a);
        return a / b - (a % b != 0 && (a < 0) != (b < 0));
      }"""),
  MODULO_I32(
      """
      static inline int32_t @modulo_i32(int32_t a, int32_t b) {
        if (b == 0 || b == -1) return 0;
        const int32_t r = a % b;
        return r != 0 && (r < 0) != (b < 0) ? r + b : r;
      }"""),
  MODULO_I64(
      """
      static inline int64_t @modulo_i64(int64_t a, int64_t b) {
        if (b == 0 || b == -1) return 0;
        const int64_t r = a % b;
        return r != 0 && (r < 0) != (b < 0) ? r + b : r;
      }"""),
  MODULO_F32(
      """
      static inline float @modulo_f32(float a, float b) {
        const float r = fmodf(a, b);
        return r != 0 && (r < 0) != (b < 0) ? r + b : r;
      }"""),
  MODULO_F64(
      """
      static inline double @modulo_f64(double a, double b) {
        const double r = fmod(a, b);
        return r != 0 && (r < 0) != (b < 0) ? r + b : r;
      }"""),
  POWER_I32(
      """
      static inline int32_t @power_i32(int32_t a, int32_t b) {
        uint32_t power = b < 0 ? 0 : 1;
        uint32_t square = (uint32_t)a;
        for (; b > 0; b >>= 1, square *= square) {
          if (b & 1) power *= square;
        }
        return (int32_t)power;
      }"""),
  POWER_I64(
      """
      static inline int64_t @power_i64(int64_t a, int64_t b) {
        uint64_t power = b < 0 ? 0 : 1;
        uint64_t square = (uint64_t)a;
        for (; b > 0; b >>= 1, square *= square) {
          if (b & 1) power *= square;
        }
        return (int64_t)power;
      }"""),
  MAXIMUM_F32(
      """
      static inline float @maximum_f32(float a, float b) {
        return a != a || a > b || (a == b && !signbit(a)) ? a : b;
      }"""),
  MAXIMUM_F64(
      """
      static inline double @maximum_f64(double a, double b) {
        return a != a || a > b || (a == b && !signbit(a)) ? a : b;
      }"""),
  MINIMUM_F32(
      """
      static inline float @minimum_f32(float a, float b) {
        return a != a || a < b || (a == b && signbit(a)) ? a : b;
      }"""),
  MINIMUM_F64(
      """
      static inline double @minimum_f64(double a, double b) {
        return a != a || a < b || (a == b && signbit(a)) ? a : b;
      }"""),
  MAXIMUM_I32("static inline int32_t @maximum_i32(int32_t a, int32_t b) { return a > b ? a : b; }"),
  MAXIMUM_I64("static inline int64_t @maximum_i64(int64_t a, int64_t b) { return a > b ? a : b; }"),
  MAXIMUM_BOOL("static inline uint8_t @maximum_bool(uint8_t a, uint8_t b) { return a | b; }"),
  MINIMUM_I32("static inline int32_t @minimum_i32(int32_t a, int32_t b) { return a < b ? a : b; }"),
  MINIMUM_I64("static inline int64_t @minimum_i64(int64_t a, int64_t b) { return a < b ? a : b; }"),
  MINIMUM_BOOL("static inline uint8_t @minimum_bool(uint8_t a, uint8_t b) { return a & b; }"),
  SIGN_F32("static inline float @sign_f32(float x) { return x > 0 ? 1 : x < 0 ? -1 : x; }"),
  SIGN_F64("static inline double @sign_f64(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }"),
  SIGN_I32("static inline int32_t @sign_i32(int32_t x) { return (x > 0) - (x < 0); }"),
  SIGN_I64("static inline int64_t @sign_i64(int64_t x) { return (x > 0) - (x < 0); }"),
  ABSOLUTE_I32(
      """
      static inline int32_t @absolute_i32(int32_t x) {
        return x < 0 ? (int32_t)(0 - (uint32_t)x) : x;
      }"""),
  ABSOLUTE_I64(
      """
      static inline int64_t @absolute_i64(int64_t x) {
        return x < 0 ? (int64_t)(0 - (uint64_t)x) : x;
      }"""),
  SIGMOID_F32("static inline float @sigmoid_f32(float x) { return 1 / (1 + expf(-x)); }"),
  SIGMOID_F64("static inline double @sigmoid_f64(double x) { return 1 / (1 + exp(-x)); }"),
  /** Vectors of 16 lanes, if the compiler has vectors, and the size of a tile. */
  LANES(ProductFunctions.vectors()),
  /** Sums of products of a tile. */
  PRODUCTS(ProductFunctions.source()),
  /** The same sums, continued for more points. */
  PRODUCTS_MORE(ProductFunctions.more()),
  /** Sums of products of four vectors of 16 lanes; a point is at an offset from the lanes. */
  PLANES(ProductFunctions.planes()),
  /** A row of a plane: every step-th element of a row, and zeros outside of it. */
  PLANE_ROW(
      """
      static void @plane_row(
          float *to, const float *row, int64_t first, int64_t step, int64_t count, int64_t extent) {
        int64_t low = 0;
        int64_t high = 0;
        if (row != NULL && first < extent) {
          low = first < 0 ? (step - 1 - first) / step : 0;
          high = (extent - first + step - 1) / step;
          if (high > count) high = count;
          if (low > high) low = high;
        }
        for (int64_t i = 0; i < low; i++) to[i] = 0;
        if (step == 1) {
          for (int64_t i = low; i < high; i++) to[i] = row[first + i];
        } else {
          for (int64_t i = low; i < high; i++) to[i] = row[first + i * step];
        }
        for (int64_t i = high; i < count; i++) to[i] = 0;
      }"""),
  /** Truncation to an integer. A value out of range becomes the nearest integer, NaN becomes 0. */
  TO_I32(
      """
      static inline int32_t @to_i32(double x) {
        if (x != x) return 0;
        return x >= 2147483648.0 ? INT32_MAX : x < -2147483648.0 ? INT32_MIN : (int32_t)x;
      }"""),
  TO_I64(
      """
      static inline int64_t @to_i64(double x) {
        if (x != x) return 0;
        if (x >= 9223372036854775808.0) return INT64_MAX;
        return x < -9223372036854775808.0 ? INT64_MIN : (int64_t)x;
      }""");

  private final String source;

  CHelper(String source) {
    this.source = source;
  }

  /** Returns the function's name without the prefix. */
  String functionName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Adds this function and the types that it needs. */
  void addTo(EnumSet<CHelper> helpers) {
    helpers.add(this);
    if (this == PRODUCTS || this == PRODUCTS_MORE || this == PLANES) {
      helpers.add(LANES);
    }
  }

  /** Returns the function's definition. */
  String definition(String prefix) {
    return source.strip().replace("@", prefix) + "\n";
  }

  private static String select(String suffix, String type) {
    return "static inline TYPE @select_SUFFIX(int c, TYPE a, TYPE b) { return c ? a : b; }"
        .replace("TYPE", type)
        .replace("SUFFIX", suffix);
  }

  private static String wrapping32(String name, String symbol) {
    return "static inline int32_t @"
        + name
        + "_i32(int32_t a, int32_t b) {\n  return (int32_t)((uint32_t)a "
        + symbol
        + " (uint32_t)b);\n}";
  }

  private static String wrapping64(String name, String symbol) {
    return "static inline int64_t @"
        + name
        + "_i64(int64_t a, int64_t b) {\n  return (int64_t)((uint64_t)a "
        + symbol
        + " (uint64_t)b);\n}";
  }
}
