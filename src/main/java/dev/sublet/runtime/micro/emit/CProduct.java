package dev.sublet.runtime.micro.emit;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.run.bind.Affine;
import dev.sublet.runtime.micro.run.bind.BoundAccess;
import dev.sublet.runtime.micro.run.bind.LoopGroup;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes a {@link ProductTile} as C.
 *
 * <pre>
 * for each batch, for each strip of lanes:
 *   fill the panel                                        unless the tile is direct
 *   for each 8 rows: sums = products(panel, w, points);  y[row, lanes] = f(sums)
 * </pre>
 */
final class CProduct {

  private final CScope scope;
  private final ProductTile tile;
  private final CBlock block;
  private final StringBuilder code;
  private final int strip;

  private CProduct(CScope scope, ProductTile tile, CBlock block, StringBuilder code, int strip) {
    this.scope = scope;
    this.tile = tile;
    this.block = block;
    this.code = code;
    this.strip = strip;
  }

  /**
   * Appends the C code of a tile.
   *
   * @param block writes the statements that use the sums
   * @param strip the lanes of a panel, a multiple of {@link ProductTile#LANES}
   */
  static void write(CScope scope, ProductTile tile, CBlock block, StringBuilder code, int strip) {
    CProduct product = new CProduct(scope, tile, block, code, strip);
    if (tile.isDirect()) {
      product.writeDirect();
    } else {
      product.writePanels();
    }
  }

  private LoopGroup lanes() {
    return tile.form().lanes();
  }

  /** Strips of whole vectors; the last one overlaps the strip before it. */
  private void writeDirect() {
    int depth = open(tile.form().batches(), 0);
    long count = lanes().count();
    int wide = count < ProductTile.WIDE ? ProductTile.LANES : ProductTile.WIDE;
    line(depth, "for (int64_t strip = 0; strip < %s; strip += %s) {", count, wide);
    line(
        depth + 1,
        "const int64_t lanes = %s - strip > %s ? %s : %s;",
        count,
        ProductTile.LANES,
        wide,
        ProductTile.LANES);
    line(depth + 1, "const int64_t first = strip < %s - lanes ? strip : %s - lanes;", count, count);
    Affine place = tile.form().panel().place(tile.nest());
    Affine fixed = lanes().without(tile.form().points().without(place));
    line(
        depth + 1,
        "const float *const panel = %s + %s + first;",
        scope.tensor(tile.form().panel().access().tensor()),
        text(fixed));
    factors(depth + 1);
    int inside = openRows(depth + 1);
    tile(inside, tile.directStep());
    closeRows(depth + 1);
    line(depth, "}");
    close(depth);
  }

  private void writePanels() {
    int depth = open(tile.form().batches(), 0);
    long count = lanes().count();
    line(depth, "for (int64_t start = 0; start < %s; start += %s) {", count, strip);
    line(
        depth + 1,
        "const int64_t stop = start + %s < %s ? start + %s : %s;",
        strip,
        count,
        strip,
        count);
    line(depth + 1, "const int64_t width = stop - start;");
    fill(depth + 1);
    factors(depth + 1);
    int inside = openRows(depth + 1);
    line(inside, "for (int64_t first = start; first < stop; first += %s) {", ProductTile.WIDE);
    line(
        inside + 1,
        "const int64_t lanes = stop - first < %s ? stop - first : %s;",
        ProductTile.WIDE,
        ProductTile.WIDE);
    line(inside + 1, "const float *const panel = panels + (first - start);");
    tile(inside + 1, strip);
    line(inside, "}");
    closeRows(depth + 1);
    line(depth, "}");
    close(depth);
  }

  /** Opens the loops of a group; returns the depth inside. */
  private int open(LoopGroup group, int depth) {
    for (int i = 0; i < group.loops(); i++) {
      String index = "i" + loop(group, i).id();
      line(
          depth + i, "for (int64_t %s = 0; %s < %s; %s++) {", index, index, group.extent(i), index);
    }
    return depth + group.loops();
  }

  private void close(int depth) {
    for (int d = depth - 1; d >= 0; d--) {
      line(d, "}");
    }
  }

  private Loop loop(LoopGroup group, int position) {
    return tile.nest().loop(group.depth(position));
  }

  /** Fills the panel: for each point the elements of the lanes of a strip, and zeros after them. */
  private void fill(int depth) {
    line(depth, "float *point = panels;");
    LoopGroup points = tile.form().points();
    for (int i = 0; i < points.loops(); i++) {
      String index = "i" + loop(points, i).id();
      line(
          depth + i,
          "for (int64_t %s = 0; %s < %s; %s++) {",
          index,
          index,
          points.extent(i),
          index);
    }
    int inside = depth + points.loops();
    runs(inside, "start", "width", () -> fillRun(inside + 1));
    line(inside, "for (int64_t lane = width; lane < %s; lane++) point[lane] = 0;", strip);
    line(inside, "point += %s;", strip);
    for (int i = points.loops() - 1; i >= 0; i--) {
      line(depth + i, "}");
    }
  }

  /**
   * Writes loops over lanes: the outer lane loops are decoded once per run, and the innermost one
   * counts. A run begins at {@code begin} and ends before {@code end}; its first index of the
   * innermost lane loop is {@code from}.
   */
  private void runs(int depth, String first, String count, Runnable body) {
    LoopGroup group = lanes();
    int inner = group.loops() - 1;
    line(depth, "for (int64_t begin = 0, end = 0; begin < %s; begin = end) {", count);
    if (group.loops() == 1) {
      line(depth + 1, "const int64_t from = %s + begin;", first);
      line(depth + 1, "end = %s;", count);
    } else {
      line(depth + 1, "const int64_t from = (%s + begin) %% %s;", first, group.extent(inner));
      line(depth + 1, "end = begin + %s - from;", group.extent(inner));
      line(depth + 1, "if (end > %s) end = %s;", count, count);
      long size = group.extent(inner);
      for (int i = inner - 1; i >= 0; i--) {
        String rest = i == 0 ? "" : " % " + group.extent(i);
        line(
            depth + 1,
            "const int64_t i%s = (%s + begin) / %s%s;",
            loop(group, i).id(),
            first,
            size,
            rest);
        line(depth + 1, "(void)i%s;", loop(group, i).id());
        size *= group.extent(i);
      }
    }
    body.run();
    line(depth, "}");
  }

  private void fillRun(int depth) {
    int inner = lanes().innermost();
    Affine place = tile.form().panel().place(tile.nest());
    List<String> conditions = new ArrayList<>();
    String low = "begin";
    String high = "end";
    List<String> limits = new ArrayList<>();
    for (BoundAccess.Axis axis : tile.form().panel().checkedAxes(tile.nest())) {
      Affine index = requireNonNull(axis.affine());
      long step = index.coefficient(inner);
      if (step == 0) {
        conditions.add(scope.call(CHelper.INSIDE, text(index), String.valueOf(axis.extent())));
      } else {
        limits.add(limit(index, step, axis.extent(), inner));
        low = "low";
        high = "high";
      }
    }
    if (!limits.isEmpty()) {
      line(depth, "int64_t low = begin;");
      line(depth, "int64_t high = end;");
      limits.forEach(limit -> limit.lines().forEach(each -> line(depth, "%s", each)));
      line(depth, "if (high < begin) high = begin;");
      line(depth, "if (low > high) low = high;");
    }
    if (!conditions.isEmpty()) {
      line(depth, "if (!(%s)) {", String.join(" && ", conditions));
      line(depth + 1, "for (int64_t lane = begin; lane < end; lane++) point[lane] = 0;");
      line(depth + 1, "continue;");
      line(depth, "}");
    }
    if (!limits.isEmpty()) {
      line(depth, "for (int64_t lane = begin; lane < low; lane++) point[lane] = 0;");
    }
    long step = place.coefficient(inner);
    line(depth, "const int64_t at = %s;", atLane(place, inner, "(from - begin)"));
    line(
        depth,
        "for (int64_t lane = %s; lane < %s; lane++) point[lane] = %s[at + lane%s];",
        low,
        high,
        scope.tensor(tile.form().panel().access().tensor()),
        step == 1 ? "" : " * " + step);
    if (!limits.isEmpty()) {
      line(depth, "for (int64_t lane = high; lane < end; lane++) point[lane] = 0;");
    }
  }

  /** Returns statements that narrow the lanes of a run to those with an index inside of an axis. */
  private String limit(Affine index, long step, long extent, int inner) {
    // index = rest + step * (from + lane - begin), with 0 <= index < extent
    String rest = atLane(index, inner, "(from - begin)");
    String first;
    String last;
    if (step == 1) {
      first = "-(" + rest + ")";
      last = extent + " - (" + rest + ")";
    } else if (step > 1) {
      first = ceil("-(" + rest + ")", step);
      last = ceil(extent + " - (" + rest + ")", step);
    } else {
      first = ceil("(" + rest + ") - " + (extent - 1), -step);
      last = ceil("(" + rest + ") + 1", -step);
    }
    return "if (low < "
        + first
        + ") low = "
        + first
        + ";\nif (high > "
        + last
        + ") high = "
        + last
        + ";";
  }

  private String ceil(String dividend, long divisor) {
    return divisor == 1
        ? dividend
        : "-"
            + scope.call(
                CHelper.FLOOR_DIVIDE_INDEX, "-(" + dividend + ")", String.valueOf(divisor));
  }

  /** Returns an affine form with another expression for the index of the innermost lane loop. */
  private String atLane(Affine affine, int inner, String index) {
    String rest = text(affine, inner);
    long step = affine.coefficient(inner);
    return step == 0 ? rest : rest + " + " + number(step) + " * " + index;
  }

  /** Returns an affine form. */
  private String text(Affine affine) {
    return text(affine, -1);
  }

  /** Returns an affine form without the term of a loop. */
  private String text(Affine affine, int without) {
    StringBuilder text = new StringBuilder(number(affine.constant()));
    for (int depth = 0; depth < tile.nest().loops(); depth++) {
      long factor = affine.coefficient(depth);
      if (factor != 0 && depth != without) {
        text.append(" + ").append(number(factor)).append(" * i");
        text.append(tile.nest().loop(depth).id());
      }
    }
    return text.toString();
  }

  private static String number(long value) {
    String text = Math.abs(value) <= 1000 ? Long.toString(value) : "INT64_C(" + value + ")";
    return value < 0 ? "(" + text + ")" : text;
  }

  private void factors(int depth) {
    Affine place = tile.form().factor().place(tile.nest());
    Affine fixed = tile.form().rows().without(tile.form().points().without(place));
    line(
        depth,
        "const float *const factors = %s + %s;",
        scope.tensor(tile.form().factor().access().tensor()),
        text(fixed));
  }

  /** Opens the loop over blocks of rows, if there are several rows; returns the depth inside. */
  private int openRows(int depth) {
    long count = tile.form().rows().count();
    if (count == 1) {
      return depth;
    }
    line(depth, "for (int64_t row = 0; row < %s; row += %s) {", count, ProductTile.ROWS);
    if (count % ProductTile.ROWS == 0) {
      line(depth + 1, "const int64_t rows = %s;", ProductTile.ROWS);
    } else {
      line(
          depth + 1,
          "const int64_t rows = %s - row < %s ? %s - row : %s;",
          count,
          ProductTile.ROWS,
          count,
          ProductTile.ROWS);
    }
    return depth + 1;
  }

  private void closeRows(int depth) {
    if (tile.form().rows().count() > 1) {
      line(depth, "}");
    }
  }

  /** Writes the sums of a block of rows and a vector or two of lanes, and what uses them. */
  private void tile(int depth, long panelStep) {
    boolean isOneRow = tile.form().rows().count() == 1;
    line(depth, "float sums[%s];", (isOneRow ? 1 : ProductTile.ROWS) * ProductTile.WIDE);
    line(
        depth,
        "%s;",
        scope.call(
            CHelper.PRODUCTS,
            "panel",
            String.valueOf(panelStep),
            isOneRow ? "factors" : "factors + row * " + tile.rowStep(),
            String.valueOf(tile.rowStep()),
            String.valueOf(tile.pointStep()),
            String.valueOf(tile.form().points().count()),
            isOneRow ? "1" : "rows",
            "lanes",
            "sums"));
    if (isOneRow) {
      epilogue(depth, "sums");
      return;
    }
    line(depth, "for (int64_t r = 0; r < rows; r++) {");
    LoopGroup rows = tile.form().rows();
    long size = 1;
    for (int i = rows.loops() - 1; i >= 0; i--) {
      String outer = i == 0 ? "" : " % " + rows.extent(i);
      String inner = size == 1 ? "" : " / " + size;
      String index = "i" + loop(rows, i).id();
      line(depth + 1, "const int64_t %s = (row + r)%s%s;", index, inner, outer);
      line(depth + 1, "(void)%s;", index);
      size *= rows.extent(i);
    }
    line(depth + 1, "const float *const sum = sums + r * %s;", ProductTile.WIDE);
    epilogue(depth + 1, "sum");
    line(depth, "}");
  }

  /** Writes the statements that use the sums of a row. */
  private void epilogue(int depth, String sums) {
    if (!tile.isUniform()) {
      runs(
          depth,
          "first",
          "lanes",
          () -> {
            line(depth + 1, "for (int64_t lane = begin; lane < end; lane++) {");
            lane(depth + 2, "from + lane - begin", sums);
            line(depth + 1, "}");
          });
      return;
    }
    for (int i = 0; i < lanes().loops() - 1; i++) {
      line(depth, "const int64_t i%s = 0;", loop(lanes(), i).id());
      line(depth, "(void)i%s;", loop(lanes(), i).id());
    }
    line(depth, "for (int64_t lane = 0; lane < lanes; lane++) {");
    lane(depth + 1, "first + lane", sums);
    line(depth, "}");
  }

  private void lane(int depth, String position, String sums) {
    String index = "i" + loop(lanes(), lanes().loops() - 1).id();
    line(depth, "const int64_t %s = %s;", index, position);
    line(depth, "(void)%s;", index);
    line(depth, "const float c%s = %s[lane];", tile.form().sum(), sums);
    block.statements(tile.form().depth(), depth);
  }

  @FormatMethod
  private void line(int depth, @FormatString String format, Object... parts) {
    code.append("  ".repeat(depth + 1)).append(String.format(format, parts)).append('\n');
  }
}
