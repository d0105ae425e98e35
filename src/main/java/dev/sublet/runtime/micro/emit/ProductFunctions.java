package dev.sublet.runtime.micro.emit;

/**
 * The C function for the sums of products of a {@link ProductTile}, and the functions that it
 * calls.
 *
 * <pre>
 * sums[row, lane] = sum over points of panel[point, lane] * w[row, point]
 * </pre>
 *
 * <p>It takes up to 8 rows and 16 or 32 lanes; the sums of a row begin at a multiple of 32. The
 * points of a sum are added in their order. The sums of one pass stay in the vector registers: 8
 * rows of 32 lanes with AVX-512, otherwise 4 of 16.
 */
final class ProductFunctions {

  private static final String VECTORS =
      """
      #if defined(__GNUC__) && (defined(__SSE2__) || defined(__ARM_NEON) || defined(__riscv_vector))
      typedef float @lanes __attribute__((vector_size(64)));
      typedef float @loose __attribute__((vector_size(64), aligned(4), may_alias));
      #define @VECTORS 1
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
        int64_t row = 0;
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
      #if defined(@VECTORS) && (defined(__AVX__) || defined(__aarch64__))
        const int64_t many = rows - rows % 4;
        for (; row < many; row += 4) {
          for (int64_t lane = 0; lane < lanes; lane += 16) {
            @products4x1(
                panel + lane,
                panel_step,
                w + row * row_step,
                row_step,
                point_step,
                points,
                sums + row * 32 + lane);
          }
        }
      #endif
        for (; row < rows; row++) {
          @products1(
              panel, panel_step, w + row * row_step, point_step, points, lanes, sums + row * 32);
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
          for (int64_t lane = 0; lane < width; lane++) {
            const float *const x = lanes[v] + lane;
            float a = 0;
            for (int64_t k = 0; k < points; k++) a += x[offsets[k]] * w[k * w_step];
            sums[v * 16 + lane] = a;
          }
        }
      #endif
      }
      """;

  private ProductFunctions() {}

  /** Returns the functions; {@code @} stands for the prefix of names. */
  static String source() {
    return ONE_ROW
        + block("defined(__AVX512F__)", 8, 2)
        + block("defined(__AVX512F__)", 8, 1)
        + block("(defined(__AVX__) || defined(__aarch64__))", 4, 1)
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

  /** Returns a function for numbers of rows and vectors, for machines with a feature. */
  private static String block(String feature, int rows, int vectors) {
    StringBuilder code = new StringBuilder();
    code.append("#if defined(@VECTORS) && ").append(feature).append('\n');
    code.append("static inline void @products").append(rows).append('x').append(vectors);
    code.append("(\n    const float *panel,\n    int64_t panel_step,\n    const float *w,\n");
    code.append("    int64_t row_step,\n    int64_t point_step,\n    int64_t points,\n");
    code.append("    float *sums) {\n");
    for (int sum = 0; sum < rows * vectors; sum++) {
      code.append("  @lanes s").append(sum).append(" = {0};\n");
    }
    code.append("  for (int64_t k = 0; k < points; k++) {\n");
    for (int v = 0; v < vectors; v++) {
      code.append("    const @lanes x").append(v);
      code.append(" = *(const @loose *)(panel + ").append(16 * v).append(");\n");
    }
    for (int row = 0; row < rows; row++) {
      for (int v = 0; v < vectors; v++) {
        code.append("    s").append(row * vectors + v).append(" += x").append(v);
        code.append(" * w[").append(row).append(" * row_step];\n");
      }
    }
    code.append("    panel += panel_step;\n    w += point_step;\n  }\n");
    for (int row = 0; row < rows; row++) {
      for (int v = 0; v < vectors; v++) {
        code.append("  *(@loose *)(sums + ").append(32 * row + 16 * v).append(") = s");
        code.append(row * vectors + v).append(";\n");
      }
    }
    return code.append("}\n#endif\n").toString();
  }
}
