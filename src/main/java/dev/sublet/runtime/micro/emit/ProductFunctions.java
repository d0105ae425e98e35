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
 * rows, and 16 lanes. The points of a sum are added in their order. Each function holds the sums of
 * as many rows and vectors as there are registers for, and the tile is computed in several passes.
 */
final class ProductFunctions {

  /** Vectors as wide as the registers are: gcc keeps wider ones in memory. */
  private static final String VECTORS =
      """
      /* The floats of a vector register. */
      #if defined(__GNUC__) && defined(__AVX512F__)
      #define @VECTOR 16
      #elif defined(__GNUC__) && defined(__AVX__)
      #define @VECTOR 8
      #elif defined(__GNUC__) && (defined(__SSE2__) || defined(__aarch64__) || defined(__riscv_vector))
      #define @VECTOR 4
      #else
      #define @VECTOR 1
      #endif
      #if @VECTOR > 1
      typedef float @vector __attribute__((vector_size(4 * @VECTOR)));
      typedef float @loose __attribute__((vector_size(4 * @VECTOR), aligned(4), may_alias));
      #else
      typedef float @vector;
      typedef float @loose;
      #endif
      /* gcc that looks into the function warns of lanes that vector code loads and does not use. */
      #if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 8 && @VECTOR == 16
      #define @APART __attribute__((noipa))
      #elif defined(__GNUC__)
      #define @APART __attribute__((noinline))
      #else
      #define @APART
      #endif
      /* The rows and lanes of a tile of sums. */
      #if @VECTOR == 16
      #define @ROWS 8
      #define @WIDE 32
      #else
      #define @ROWS 4
      #define @WIDE 16
      #endif
      """;

  /** The beginning of a function for a tile, with its name. */
  private static final String TILE_HEAD =
      """
      @APART
      static void @%s(
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
      """;

  /** The tiles of 8 rows, which are computed at once. */
  private static final String FULL_TILES =
      """
      #if @ROWS == 8
        if (rows == 8 && lanes > 16) {
          @products8x2(panel, panel_step, w, row_step, point_step, points, sums);
          return;
        }
        if (rows == 8) {
          @products8x1(panel, panel_step, w, row_step, point_step, points, sums);
          return;
        }
      #endif
      """;

  /** The rows of a tile, 4 at a time and then one by one. */
  private static final String TILE_ROWS =
      """
        for (; rows - row >= 4; row += 4) {
          for (int64_t lane = 0; lane < lanes; lane += @%1$sFOUR * @VECTOR) {
            @%2$s4(
                panel + lane,
                panel_step,
                w + row * row_step,
                row_step,
                point_step,
                points,
                sums + row * @WIDE + lane);
          }
        }
        for (; row < rows; row++) {
          for (int64_t lane = 0; lane < lanes; lane += @%1$sONE * @VECTOR) {
            @%2$s1(
                panel + lane,
                panel_step,
                w + row * row_step,
                row_step,
                point_step,
                points,
                sums + row * @WIDE + lane);
          }
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
      #if @VECTOR > 1
        (void)vectors;
        for (int64_t lane = 0; lane < width; lane += @VECTOR) {
          const float *const p = lanes[0] + lane;
          const float *const q = lanes[1] + lane;
          const float *const r = lanes[2] + lane;
          const float *const s = lanes[3] + lane;
          @vector a = {0};
          @vector b = {0};
          @vector c = {0};
          @vector d = {0};
          for (int64_t k = 0; k < points; k++) {
            const float f = w[k * w_step];
            const int32_t at = offsets[k];
            a += *(const @loose *)(p + at) * f;
            b += *(const @loose *)(q + at) * f;
            c += *(const @loose *)(r + at) * f;
            d += *(const @loose *)(s + at) * f;
          }
          *(@loose *)(sums + lane) = a;
          *(@loose *)(sums + 16 + lane) = b;
          *(@loose *)(sums + 32 + lane) = c;
          *(@loose *)(sums + 48 + lane) = d;
        }
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
    return "/* @FOUR and @ONE: the vectors of 4 rows and of 1 row whose sums fit into registers. */\n"
        + "#if @VECTOR == 16\n"
        + block("products8x2", 8, 2, /* isNew= */ true)
        + block("products8x1", 8, 1, /* isNew= */ true)
        + blocks(/* isNew= */ true)
        + TILE_HEAD.formatted("products")
        + FULL_TILES
        + TILE_ROWS.formatted("", "products");
  }

  /** Returns the functions that continue sums. */
  static String more() {
    return "#if @VECTOR == 16\n"
        + blocks(/* isNew= */ false)
        + TILE_HEAD.formatted("products_more")
        + TILE_ROWS.formatted("MORE_", "more");
  }

  /** Returns the function for planes. */
  static String planes() {
    return PLANES;
  }

  /** Returns the types of vectors, which both functions need. */
  static String vectors() {
    return VECTORS;
  }

  /** Returns the functions for 4 rows and for 1 row, after the condition for the widest vectors. */
  private static String blocks(boolean isNew) {
    return blocks(1, 1, isNew)
        + "#elif @VECTOR == 8\n"
        + blocks(2, 2, isNew)
        + "#elif @VECTOR == 4 && defined(__SSE2__)\n"
        + blocks(2, 4, isNew)
        + "#else\n"
        + blocks(4, 4, isNew)
        + "#endif\n";
  }

  private static String blocks(int four, int one, boolean isNew) {
    String macro = isNew ? "#define @" : "#define @MORE_";
    String name = isNew ? "products" : "more";
    return macro
        + "FOUR "
        + four
        + "\n"
        + block(name + "4", 4, four, isNew)
        + macro
        + "ONE "
        + one
        + "\n"
        + block(name + "1", 1, one, isNew);
  }

  /**
   * Returns a function for a number of rows and of vectors.
   *
   * @param isNew whether the sums begin at 0
   */
  private static String block(String name, int rows, int vectors, boolean isNew) {
    StringBuilder code = new StringBuilder();
    code.append("static inline void @").append(name);
    code.append("(\n    const float *panel,\n    int64_t panel_step,\n    const float *w,\n");
    code.append("    int64_t row_step,\n    int64_t point_step,\n    int64_t points,\n");
    code.append("    float *sums) {\n");
    code.append(rows == 1 ? "  (void)row_step;\n" : "");
    for (int sum = 0; sum < rows * vectors; sum++) {
      String first = isNew ? "{0}" : place(sum / vectors, sum % vectors, "const ");
      code.append("  @vector s").append(sum).append(" = ").append(first).append(";\n");
    }
    code.append("  for (int64_t k = 0; k < points; k++) {\n");
    code.append("    const float *const x = panel + k * panel_step;\n");
    code.append("    const float *const f = w + k * point_step;\n");
    for (int v = 0; v < vectors; v++) {
      code.append("    const @vector x").append(v).append(" = *(const @loose *)(x + ");
      code.append(v).append(" * @VECTOR);\n");
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
        code.append("  ").append(place(row, v, ""));
        code.append(" = s").append(row * vectors + v).append(";\n");
      }
    }
    return code.append("}\n").toString();
  }

  /** Returns the place of a vector of sums. */
  private static String place(int row, int vector, String constant) {
    return "*(%s@loose *)(sums + %s * @WIDE + %s * @VECTOR)".formatted(constant, row, vector);
  }
}
