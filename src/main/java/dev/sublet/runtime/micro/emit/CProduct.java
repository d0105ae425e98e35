package dev.sublet.runtime.micro.emit;

import static java.util.Objects.requireNonNull;

import dev.sublet.runtime.micro.emit.NestCut.Dimension;
import dev.sublet.runtime.micro.emit.TileCode.Steps;
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
 *   fill the panel                                        unless the nest is direct
 *   for each 8 rows: sums = products(panel, w, points);  y[row, lanes] = f(sums)
 * </pre>
 */
final class CProduct {

  private final TileCode code;
  private final ProductTile tile;
  private final NestCut cut;
  private final int strip;

  private CProduct(TileCode code, NestCut cut) {
    this.code = code;
    this.tile = cut.product();
    this.cut = cut;
    this.strip = cut.panelLanes();
  }

  /** Writes a tile. */
  static void write(TileCode code, NestCut cut) {
    CProduct product = new CProduct(code, cut);
    if (cut.isDirect()) {
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
    int depth = code.open(tile.form().batches(), 0);
    long count = lanes().count();
    boolean isWide = count >= ProductTile.MOST_LANES;
    String wide = isWide ? code.macro(CHelper.LANES, "WIDE") : String.valueOf(ProductTile.LANES);
    String vectors = count + " / " + wide;
    code.open(depth, Dimension.LANES, new Steps("strip", count, wide, vectors, wide));
    code.line(
        depth + 1,
        "const int64_t lanes = %s - strip > %s ? %s : %s;",
        count,
        ProductTile.LANES,
        wide,
        ProductTile.LANES);
    code.line(depth + 1, "const int64_t last = %s - lanes;", count);
    code.line(depth + 1, "const int64_t first = strip < last ? strip : last;");
    Affine place = tile.form().panel().place(tile.nest());
    Affine fixed = lanes().without(tile.form().points().without(place));
    code.line(
        depth + 1,
        "const float *const panel = %s + %s + first;",
        code.tensor(tile.form().panel().access().tensor()),
        code.text(fixed));
    code.factors(depth + 1);
    int inside = openRows(depth + 1);
    tile(inside, tile.directStep());
    closeRows(depth + 1);
    code.line(depth, "}");
    code.close(0, depth);
  }

  private void writePanels() {
    int depth = code.open(tile.form().batches(), 0);
    long count = lanes().count();
    String vectors = String.valueOf(NestCut.ceil(count, ProductTile.LANES));
    Steps steps =
        new Steps(
            "start", count, String.valueOf(strip), vectors, String.valueOf(ProductTile.LANES));
    String end = code.open(depth, Dimension.LANES, steps);
    code.line(
        depth + 1,
        "const int64_t stop = start + %s < %s ? start + %s : %s;",
        strip,
        end,
        strip,
        end);
    code.line(depth + 1, "const int64_t width = stop - start;");
    if (cut.isShort()) {
      writeShortPanels(depth + 1);
    } else {
      writePanel(depth + 1);
    }
    code.line(depth, "}");
    code.close(0, depth);
  }

  /** Writes the tiles of a strip, for which one panel contains all points. */
  private void writePanel(int depth) {
    fill(depth, "0", String.valueOf(tile.form().points().extent(0)));
    code.factors(depth);
    int inside = openRows(depth);
    String wide = code.macro(CHelper.LANES, "WIDE");
    code.line(inside, "for (int64_t first = start; first < stop; first += %s) {", wide);
    code.line(
        inside + 1, "const int64_t lanes = stop - first < %s ? stop - first : %s;", wide, wide);
    code.line(inside + 1, "const float *const panel = panels + (first - start);");
    tile(inside + 1, strip);
    code.line(inside, "}");
    closeRows(depth);
  }

  /**
   * Writes the tiles of a strip of one vector, for which a panel contains some of the points at a
   * time. Each block of rows fills it again.
   */
  private void writeShortPanels(int depth) {
    code.factors(depth);
    int inside = openRows(depth);
    code.line(inside, "const int64_t first = start;");
    code.line(inside, "const int64_t lanes = width;");
    LoopGroup points = tile.form().points();
    long inner = points.count() / points.extent(0);
    code.line(inside, "float sums[%s] = {0};", sumsOfTile());
    code.line(
        inside,
        "for (int64_t from_point = 0; from_point < %s; from_point += %s) {",
        points.extent(0),
        cut.panelIterations());
    code.line(
        inside + 1,
        "const int64_t to_point = from_point + %s < %s ? from_point + %s : %s;",
        cut.panelIterations(),
        points.extent(0),
        cut.panelIterations(),
        points.extent(0));
    fill(inside + 1, "from_point", "to_point");
    String count = "(to_point - from_point) * " + inner;
    String factors = factors() + " + from_point * " + inner * pointStep();
    code.line(
        inside + 1,
        "%s;",
        sums(CHelper.PRODUCTS_MORE, new Operands("panels", strip, factors, count)));
    code.line(inside, "}");
    results(inside);
    closeRows(depth);
  }

  /**
   * Fills the panel: for each point the elements of the lanes of a strip, and zeros after them.
   *
   * @param begin the first iteration of the outermost loop over points
   * @param end its end
   */
  private void fill(int depth, String begin, String end) {
    code.line(depth, "float *point = panels;");
    LoopGroup points = tile.form().points();
    int inside = code.open(points, depth, begin, end);
    runs(inside, "start", "width", () -> fillRun(inside + 1));
    code.line(inside, "for (int64_t lane = width; lane < %s; lane++) point[lane] = 0;", strip);
    code.line(inside, "point += %s;", strip);
    code.close(depth, inside);
  }

  /**
   * Writes loops over lanes: the outer lane loops are decoded once per run, and the innermost one
   * counts. A run begins at {@code begin} and ends before {@code end}; its first index of the
   * innermost lane loop is {@code from}.
   */
  private void runs(int depth, String first, String count, Runnable body) {
    LoopGroup group = lanes();
    int inner = group.loops() - 1;
    code.line(depth, "for (int64_t begin = 0, end = 0; begin < %s; begin = end) {", count);
    if (group.loops() == 1) {
      code.line(depth + 1, "const int64_t from = %s + begin;", first);
      code.line(depth + 1, "end = %s;", count);
    } else {
      code.line(depth + 1, "const int64_t from = (%s + begin) %% %s;", first, group.extent(inner));
      code.line(depth + 1, "end = begin + %s - from;", group.extent(inner));
      code.line(depth + 1, "if (end > %s) end = %s;", count, count);
      long size = group.extent(inner);
      for (int i = inner - 1; i >= 0; i--) {
        String rest = i == 0 ? "" : " % " + group.extent(i);
        code.define(depth + 1, group.depth(i), "(" + first + " + begin) / " + size + rest);
        size *= group.extent(i);
      }
    }
    body.run();
    code.line(depth, "}");
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
        conditions.add(code.call(CHelper.INSIDE, code.text(index), String.valueOf(axis.extent())));
      } else {
        limits.add(limit(index, step, axis.extent(), inner));
        low = "low";
        high = "high";
      }
    }
    if (!limits.isEmpty()) {
      code.line(depth, "int64_t low = begin;");
      code.line(depth, "int64_t high = end;");
      limits.forEach(limit -> limit.lines().forEach(each -> code.line(depth, "%s", each)));
      code.line(depth, "if (high < begin) high = begin;");
      code.line(depth, "if (low > high) low = high;");
    }
    if (!conditions.isEmpty()) {
      code.line(depth, "if (!(%s)) {", String.join(" && ", conditions));
      code.line(depth + 1, "for (int64_t lane = begin; lane < end; lane++) point[lane] = 0;");
      code.line(depth + 1, "continue;");
      code.line(depth, "}");
    }
    if (!limits.isEmpty()) {
      code.line(depth, "for (int64_t lane = begin; lane < low; lane++) point[lane] = 0;");
    }
    long step = place.coefficient(inner);
    code.line(depth, "const int64_t at = %s;", atLane(place, inner, "(from - begin)"));
    code.line(
        depth,
        "for (int64_t lane = %s; lane < %s; lane++) point[lane] = %s[at + lane%s];",
        low,
        high,
        code.tensor(tile.form().panel().access().tensor()),
        step == 1 ? "" : " * " + step);
    if (!limits.isEmpty()) {
      code.line(depth, "for (int64_t lane = high; lane < end; lane++) point[lane] = 0;");
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
            + code.call(CHelper.FLOOR_DIVIDE_INDEX, "-(" + dividend + ")", String.valueOf(divisor));
  }

  /** Returns an affine form with another expression for the index of the innermost lane loop. */
  private String atLane(Affine affine, int inner, String index) {
    String rest = code.text(affine, inner);
    long step = affine.coefficient(inner);
    return step == 0 ? rest : rest + " + " + TileCode.number(step) + " * " + index;
  }

  /** Opens the loop over blocks of rows, if there are several rows; returns the depth inside. */
  private int openRows(int depth) {
    long count = tile.form().rows().count();
    if (count == 1) {
      return depth;
    }
    String most = rowsOfTile();
    String blocks = String.valueOf(NestCut.ceil(count, ProductTile.MOST_ROWS));
    String size = String.valueOf(ProductTile.MOST_ROWS);
    code.open(depth, Dimension.ROWS, new Steps("row", count, most, blocks, size));
    code.line(
        depth + 1, "const int64_t rows = %s - row < %s ? %s - row : %s;", count, most, count, most);
    return depth + 1;
  }

  private void closeRows(int depth) {
    if (tile.form().rows().count() > 1) {
      code.line(depth, "}");
    }
  }

  /** Writes the sums of a block of rows and a vector or two of lanes, and what uses them. */
  private void tile(int depth, long panelStep) {
    code.line(depth, "float sums[%s];", sumsOfTile());
    String count = String.valueOf(tile.form().points().count());
    code.line(
        depth, "%s;", sums(CHelper.PRODUCTS, new Operands("panel", panelStep, factors(), count)));
    results(depth);
  }

  private boolean isOneRow() {
    return tile.form().rows().count() == 1;
  }

  /** Returns the number of sums of a tile. */
  private String sumsOfTile() {
    String wide = code.macro(CHelper.LANES, "WIDE");
    return isOneRow() ? wide : rowsOfTile() + " * " + wide;
  }

  /**
   * Returns the most rows of a tile. If each tile fills the panel again, it has as many rows as
   * possible.
   */
  private String rowsOfTile() {
    boolean isShort = !cut.isDirect() && cut.isShort();
    return isShort ? String.valueOf(ProductTile.MOST_ROWS) : code.macro(CHelper.LANES, "ROWS");
  }

  /** Returns the pointer to the factors of a block of rows. */
  private String factors() {
    return isOneRow() ? "factors" : "factors + " + rowOffset();
  }

  private long pointStep() {
    return cut.isPacked() ? ProductTile.MOST_ROWS : tile.pointStep();
  }

  /**
   * What is multiplied and added.
   *
   * @param panel the lanes of the first point
   * @param step the distance from there to the next point
   * @param factors the factors of the first row and point
   * @param points the number of points
   */
  private record Operands(String panel, long step, String factors, String points) {}

  /** Returns the call that computes the sums of a tile. */
  private String sums(CHelper helper, Operands operands) {
    return code.call(
        helper,
        operands.panel(),
        String.valueOf(operands.step()),
        operands.factors(),
        String.valueOf(cut.isPacked() ? 1 : tile.rowStep()),
        String.valueOf(pointStep()),
        operands.points(),
        isOneRow() ? "1" : "rows",
        "lanes",
        "sums");
  }

  /** Writes what uses the sums of a tile. */
  private void results(int depth) {
    if (isOneRow()) {
      epilogue(depth, "sums");
      return;
    }
    String wide = code.macro(CHelper.LANES, "WIDE");
    code.line(depth, "for (int64_t r = 0; r < rows; r++) {");
    LoopGroup rows = tile.form().rows();
    long size = 1;
    for (int i = rows.loops() - 1; i >= 0; i--) {
      String outer = i == 0 ? "" : " % " + rows.extent(i);
      String inner = size == 1 ? "" : " / " + size;
      code.define(depth + 1, rows.depth(i), "(row + r)" + inner + outer);
      size *= rows.extent(i);
    }
    code.line(depth + 1, "const float *const sum = sums + r * %s;", wide);
    epilogue(depth + 1, "sum");
    code.line(depth, "}");
  }

  /** Returns the distance from the factors of the first row to those of a block of rows. */
  private String rowOffset() {
    return cut.isPacked()
        ? "row / 8 * %s + row %% 8".formatted(ProductTile.MOST_ROWS * tile.form().points().count())
        : "row * " + tile.rowStep();
  }

  /** Writes the statements that use the sums of a row. */
  private void epilogue(int depth, String sums) {
    if (!tile.isUniform()) {
      runs(
          depth,
          "first",
          "lanes",
          () -> {
            code.line(depth + 1, "for (int64_t lane = begin; lane < end; lane++) {");
            lane(depth + 2, "from + lane - begin", sums);
            code.line(depth + 1, "}");
          });
      return;
    }
    for (int i = 0; i < lanes().loops() - 1; i++) {
      code.define(depth, lanes().depth(i), "0");
    }
    code.line(depth, "for (int64_t lane = 0; lane < lanes; lane++) {");
    lane(depth + 1, "first + lane", sums);
    code.line(depth, "}");
  }

  private void lane(int depth, String position, String sums) {
    code.define(depth, lanes().innermost(), position);
    code.statements(depth, sums + "[lane]");
  }
}
