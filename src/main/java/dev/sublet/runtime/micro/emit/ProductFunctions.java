package dev.sublet.runtime.micro.emit;

/**
 * The C function for the sums of products of a {@link ProductTile}, and the functions that it
 * calls.
 *
 * <pre>
 * sums[row, lane] = sum over points of panel[point, lane] * w[row, point]
 * </pre>
 *
 * <p>A tile has 8 rows and 32 lanes with AVX-512, otherwise 4 rows and 16 lanes; it may have fewer
 * rows, and 16 lanes. The points of a sum are added in their order. The sums of one pass stay in
 * registers: of the whole tile with AVX-512 or AVX and on AArch64, and of 4 rows and 4 lanes
 * without vectors.
 */
final class ProductFunctions {

  private static final int LANES = ProductTile.LANES;

  private static final String VECTORS =
      """
      #if defined(__GNUC__) && (defined(__SSE2__) || defined(__aarch64__) || defined(__riscv_vector))
      typedef float @lanes __attribute__((vector_size(64)));
      typedef float @loose __attribute__((vector_size(64), aligned(4), may_alias));
      #define @VECTORS 1
      #endif
      /* The rows and lanes of a tile of sums. */
      #if defined(@VECTORS) && defined(__AVX512F__)
      #define @ROWS 8
      #define @WIDE 32
      #else
      #define @ROWS 4
      #define @WIDE 16
      #endif
      """;

  private static final String ONE_ROW =
      """
      static inline void @products1(
          const float *panel,
          int64_t panel_step,
          const float *w,
          int64_t point_step,
          int64_t points,
          int64_t lanes,
          float *sums) {
      #ifdef @VECTORS
        for (int64_t lane = 0; lane < lanes; lane += 16) {
          @lanes a = {0};
          for (int64_t k = 0; k < points; k++) {
            a += *(const @loose *)(panel + k * panel_step + lane) * w[k * point_step];
          }
          *(@loose *)(sums + lane) = a;
        }
      #else
        for (int64_t lane = 0; lane < lanes; lane++) {
          float a = 0;
          for (int64_t k = 0; k < points; k++) {
            a += panel[k * panel_step + lane] * w[k * point_step];
          }
          sums[lane] = a;
        }
      #endif
      }
      """;

  private static final String SEVERAL_ROWS =
      """
      #ifdef __GNUC__
      __attribute__((noinline))
      #endif
      static void @products(
          const float *panel,
          int64_t panel_step,
          const float *w,
          int64_t row_step,
          int64_t point_step,
          int64_t points,
          int64_t rows,
          int64_t lanes,
          float *sums) {
        int64_t rest = rows;
      #if defined(@VECTORS) && defined(__AVX512F__)
        if (rows == 8 && lanes > 16) {
          @products8x2(panel, panel_step, w, row_step, point_step, points, sums);
          return;
        }
        if (rows == 8) {
          @products8x1(panel, panel_step, w, row_step, point_step, points, sums);
          return;
        }
      #endif
      #ifdef @FOUR
        for (; rest >= 4; rest -= 4) {
          const int64_t row = rows - rest;
          for (int64_t lane = 0; lane < lanes; lane += @FOUR) {
            @products4(
                panel + lane,
                panel_step,
                w + row * row_step,
                row_step,
                point_step,
                points,
                sums + row * @WIDE + lane);
          }
        }
      #endif
        for (; rest > 0; rest--) {
          const int64_t row = rows - rest;
          @products1(
              panel, panel_step, w + row * row_step, point_step, points, lanes, sums + row * @WIDE);
        }
      }
      """;

  private static final String PLANES =
      """
      static void @planes(
          const float *const lanes[4],
          const int32_t *offsets,
          const float *w,
          int64_t w_step,
          int64_t points,
          int64_t vectors,
          int64_t width,
          float *sums) {
      #ifdef @VECTORS
        (void)vectors;
        (void)width;
        const float *const p = lanes[0];
        const float *const q = lanes[1];
        const float *const r = lanes[2];
        const float *const s = lanes[3];
        @lanes a = {0};
        @lanes b = {0};
        @lanes c = {0};
        @lanes d = {0};
        for (int64_t k = 0; k < points; k++) {
          const float f = w[k * w_step];
          const int32_t at = offsets[k];
          a += *(const @loose *)(p + at) * f;
          b += *(const @loose *)(q + at) * f;
          c += *(const @loose *)(r + at) * f;
          d += *(const @loose *)(s + at) * f;
        }
        *(@loose *)sums = a;
        *(@loose *)(sums + 16) = b;
        *(@loose *)(sums + 32) = c;
        *(@loose *)(sums + 48) = d;
      #else
        for (int64_t v = 0; v < vectors; v++) {
          for (int64_t lane = 0; lane < width; lane += 4) {
            float a = 0;
            float b = 0;
            float c = 0;
            float d = 0;
            for (int64_t k = 0; k < points; k++) {
              const float *const x = lanes[v] + lane + offsets[k];
              const float f = w[k * w_step];
              a += x[0] * f;
              b += x[1] * f;
              c += x[2] * f;
              d += x[3] * f;
            }
            float *const to = sums + v * 16 + lane;
            to[0] = a;
            to[1] = b;
            to[2] = c;
            to[3] = d;
          }
        }
      #endif
      }
      """;

  private ProductFunctions() {}

  /** Returns the functions; {@code @} stands for the prefix of names. */
  static String source() {
    return ONE_ROW
        + "#if defined(@VECTORS) && defined(__AVX512F__)\n"
        + block("8x2", 8, 2, LANES)
        + block("8x1", 8, 1, LANES)
        + "#endif\n#if defined(@VECTORS) && (defined(__AVX__) || defined(__aarch64__))\n"
        + "#define @FOUR 16\n"
        + block("4", 4, 1, LANES)
        + "#elif !defined(@VECTORS)\n#define @FOUR 4\n"
        + block("4", 4, 4, 1)
        + "#endif\n"
        + SEVERAL_ROWS;
  }

  /** Returns the function for planes. */
  static String planes() {
    return PLANES;
  }

  /** Returns the types of vectors, which both functions need. */
  static String vectors() {
    return VECTORS;
  }

  /**
   * Returns a function for a number of rows and of vectors.
   *
   * @param name the end of its name
   * @param width the lanes of a vector; 1 for single numbers
   */
  private static String block(String name, int rows, int vectors, int width) {
    String type = width == 1 ? "float" : "@lanes";
    String pointer = width == 1 ? "float" : "@loose";
    StringBuilder code = new StringBuilder();
    code.append("static inline void @products").append(name);
    code.append("(\n    const float *panel,\n    int64_t panel_step,\n    const float *w,\n");
    code.append("    int64_t row_step,\n    int64_t point_step,\n    int64_t points,\n");
    code.append("    float *sums) {\n");
    for (int sum = 0; sum < rows * vectors; sum++) {
      code.append("  ").append(type).append(" s").append(sum);
      code.append(width == 1 ? " = 0;\n" : " = {0};\n");
    }
    code.append("  for (int64_t k = 0; k < points; k++) {\n");
    code.append("    const float *const x = panel + k * panel_step;\n");
    code.append("    const float *const f = w + k * point_step;\n");
    for (int v = 0; v < vectors; v++) {
      code.append("    const ").append(type).append(" x").append(v).append(" = *(const ");
      code.append(pointer).append(" *)(x + ").append(width * v).append(");\n");
    }
    for (int row = 0; row < rows; row++) {
      code.append("    const float w").append(row);
      code.append(" = f[").append(row).append(" * row_step];\n");
      for (int v = 0; v < vectors; v++) {
        code.append("    s").append(row * vectors + v).append(" += x").append(v);
        code.append(" * w").append(row).append(";\n");
      }
    }
    code.append("  }\n");
    for (int row = 0; row < rows; row++) {
      for (int v = 0; v < vectors; v++) {
        code.append("  *(").append(pointer).append(" *)(sums + ");
        code.append(row).append(" * @WIDE + ").append(width * v).append(") = s");
        code.append(row * vectors + v).append(";\n");
      }
    }
    return code.append("}\n").toString();
  }
}
