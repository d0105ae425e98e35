package dev.sublet.runtime.micro.emit;

import static java.util.Objects.requireNonNull;

import dev.sublet.runtime.micro.emit.NestCut.Dimension;
import dev.sublet.runtime.micro.emit.TileCode.Steps;
import dev.sublet.runtime.micro.run.bind.Affine;
import dev.sublet.runtime.micro.run.bind.PlaneForm;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes a {@link ProductTile} of {@link PlaneForm} as C.
 *
 * <pre>
 * for each batch, for each band of rows:
 *   copy the rows into a plane
 *   for each 4 vectors of lanes: sums = planes(plane, offsets, w);  y[row, lanes] = f(sums)
 * </pre>
 */
final class CPlane {

  /** The vectors whose sums are computed at the same time. */
  private static final int VECTORS = 4;

  private final TileCode code;
  private final ProductTile tile;
  private final PlaneForm form;

  /** The rows of a band. */
  private final long band;

  /** The elements of a row of the plane. */
  private final long pitch;

  private CPlane(TileCode code, NestCut cut) {
    this.code = code;
    this.tile = cut.product();
    this.form = requireNonNull(tile.plane());
    this.band = form.band(cut.strip());
    this.pitch = form.columns().part(form.columns().lanes());
  }

  /** Writes a tile. */
  static void write(TileCode code, NestCut cut) {
    new CPlane(code, cut).write();
  }

  private void write() {
    int depth = code.open(tile.form().batches(), 0);
    for (int loop : form.around()) {
      code.open(loop, requireNonNull(tile.nest().iterations(loop)), depth++);
    }
    offsets(depth);
    code.factors(depth);
    long height = form.height();
    code.open(depth, Dimension.LANES, Steps.of("band", height, band));
    code.line(
        depth + 1,
        "const int64_t rows = %s - band < %s ? %s - band : %s;",
        height,
        band,
        height,
        band);
    fill(depth + 1);
    vectors(depth + 1);
    code.line(depth, "}");
    code.close(0, depth);
  }

  /** Defines the distance in the plane from a lane to its element for each point. */
  private void offsets(int depth) {
    PlaneForm.Axis columns = form.columns();
    PlaneForm.Axis rows = form.rows();
    List<String> offsets = new ArrayList<>();
    for (long i = 0; i < (rows == null ? 1 : rows.points()); i++) {
      long row = rows == null ? 0 : i * rows.dilation();
      long rowStride = rows == null ? 1 : rows.stride();
      for (long j = 0; j < columns.points(); j++) {
        long column = j * columns.dilation();
        long part = row % rowStride * columns.stride() + column % columns.stride();
        offsets.add(
            String.valueOf(
                part * form.partElements(band)
                    + row / rowStride * pitch
                    + column / columns.stride()));
      }
    }
    code.line(depth, "static const int32_t offsets[] = {%s};", String.join(", ", offsets));
  }

  /** Copies the rows of a band into the plane, with zeros outside of the tensor. */
  private void fill(int depth) {
    PlaneForm.Axis columns = form.columns();
    PlaneForm.Axis rows = form.rows();
    String tensor = code.tensor(tile.form().panel().access().tensor());
    String base = tensor + " + " + code.text(form.base());
    String target = "panels";
    String source = base;
    int inside = depth;
    if (rows != null) {
      long stride = rows.stride();
      String span = "(rows - 1) * " + stride + " + " + ((rows.points() - 1) * rows.dilation() + 1);
      code.line(depth, "for (int64_t r = 0; r < %s; r++) {", span);
      inside++;
      Affine first = rows.first();
      code.line(inside, "const int64_t at = %s + %s * band + r;", code.text(first), stride);
      code.line(
          inside,
          "const float *const row = %s ? %s + at * %s : NULL;",
          code.call(CHelper.INSIDE, "at", String.valueOf(rows.extent())),
          base,
          rows.pitch());
      source = "row";
      long parts = columns.stride() * form.partElements(band);
      target =
          stride == 1
              ? "panels + r * " + pitch
              : "panels + r % " + stride + " * " + parts + " + r / " + stride + " * " + pitch;
    }
    code.line(inside, "float *const to = %s;", target);
    for (long part = 0; part < columns.stride(); part++) {
      code.line(
          inside,
          "%s;",
          code.call(
              CHelper.PLANE_ROW,
              part == 0 ? "to" : "to + " + part * form.partElements(band),
              source,
              code.text(columns.first()) + " + " + part,
              String.valueOf(columns.stride()),
              String.valueOf(pitch),
              String.valueOf(columns.extent())));
    }
    if (rows != null) {
      code.line(depth, "}");
    }
  }

  /** Writes the loop over vectors of lanes, and what uses their sums. */
  private void vectors(int depth) {
    long width = form.columns().lanes();
    long perRow = (width + PlaneForm.LANES - 1) / PlaneForm.LANES;
    code.line(depth, "const int64_t count = rows * %s;", perRow);
    code.line(depth, "for (int64_t v = 0; v < count; v += %s) {", VECTORS);
    int inside = depth + 1;
    code.line(inside, "const int64_t n = count - v < %s ? count - v : %s;", VECTORS, VECTORS);
    code.line(inside, "const float *lanes[%s];", VECTORS);
    code.line(inside, "for (int64_t k = 0; k < %s; k++) {", VECTORS);
    code.line(inside + 1, "const int64_t vector = k < n ? v + k : v;");
    code.line(inside + 1, "lanes[k] = panels + %s;", at("vector", perRow));
    code.line(inside, "}");
    code.line(inside, "float sums[%s];", VECTORS * PlaneForm.LANES);
    code.line(
        inside,
        "%s;",
        code.call(
            CHelper.PLANES,
            "lanes",
            "offsets",
            "factors",
            String.valueOf(tile.pointStep()),
            String.valueOf(tile.form().points().count()),
            "n",
            String.valueOf(Math.min(width, PlaneForm.LANES)),
            "sums"));
    code.line(inside, "for (int64_t k = 0; k < n; k++) {");
    code.line(inside + 1, "const float *const sum = sums + k * %s;", PlaneForm.LANES);
    PlaneForm.Axis rows = form.rows();
    if (rows != null && rows.lane() >= 0) {
      String row = perRow == 1 ? "band + v + k" : "band + (v + k) / " + perRow;
      code.define(inside + 1, rows.lane(), row);
    }
    String first = perRow == 1 ? "0" : "(v + k) % " + perRow + " * " + PlaneForm.LANES;
    code.line(inside + 1, "const int64_t first = %s;", first);
    code.line(
        inside + 1,
        "const int64_t last = first + %s < %s ? first + %s : %s;",
        PlaneForm.LANES,
        width,
        PlaneForm.LANES,
        width);
    code.line(inside + 1, "for (int64_t lane = first; lane < last; lane++) {");
    code.define(inside + 2, form.columns().lane(), "lane");
    code.statements(inside + 2, "sum[lane - first]");
    code.line(inside + 1, "}");
    code.line(inside, "}");
    code.line(depth, "}");
  }

  /** Returns where the lanes of a vector begin in the plane. */
  private String at(String vector, long perRow) {
    return perRow == 1
        ? vector + " * " + pitch
        : "%s / %d * %d + %s %% %d * %d"
            .formatted(vector, perRow, pitch, vector, perRow, PlaneForm.LANES);
  }
}
