package dev.sublet.runtime.micro.emit;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.micro.ir.IndexExpression.Constant;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.micro.run.bind.Affine;
import dev.sublet.runtime.micro.run.bind.BoundNest;
import dev.sublet.runtime.micro.run.bind.NestSurvey;
import dev.sublet.runtime.micro.run.bind.PlaneForm;
import dev.sublet.runtime.micro.run.bind.ProductForm;
import dev.sublet.runtime.micro.run.bind.RunExtents;
import dev.sublet.runtime.tensor.Tensor;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A nest of sums of products that is computed in tiles of up to {@value #MOST_LANES} lanes by 8
 * rows, see {@link ProductForm}.
 *
 * <pre>
 * y[row, lane] = sum over points of x[lane, point] * w[row, point]
 * </pre>
 *
 * <p>The sums of a tile stay in registers while the points run, in their order, so the bits are
 * those of the plain loops. The lanes of one point must be adjacent in memory. Either they are so
 * in x, or a panel is filled with the elements of x for all points and a strip of lanes.
 *
 * @param nest the nest
 * @param form its form
 * @param rowStep the distance in w from each row to the next
 * @param pointStep the distance in w from each point to the next
 * @param directStep the distance in x from each point to the next, if x needs no panel; or -1
 * @param isUniform whether the statements that use a sum may treat the loops over lanes as one
 * @param plane the planes into which x is copied; null if there is one panel or none
 */
record ProductTile(
    BoundNest nest,
    ProductForm form,
    long rowStep,
    long pointStep,
    long directStep,
    boolean isUniform,
    @Nullable PlaneForm plane) {

  /** The lanes of a vector of 64 bytes. */
  static final int LANES = PlaneForm.LANES;

  /** The most lanes of a tile: two vectors. */
  static final int MOST_LANES = 2 * LANES;

  /** The most rows of a tile. */
  static final int MOST_ROWS = 8;

  private static final long FEWEST_POINTS = 3;

  /** The floats of a page. */
  private static final long PAGE = 1024;

  /** The points from which pages do not fit into a cache of the first level. */
  private static final long MANY_POINTS = 16;

  /** The rows from which it is faster to copy the points than to wait for them. */
  private static final long MANY_ROWS = 32;

  /** Returns the tile of a nest of a program with known extents; null if it has none. */
  static @Nullable ProductTile of(MicroProgram program, LoopBlock block) {
    BoundNest nest = new BoundNest(extents(program), block);
    if (nest.isIdle()) {
      return null;
    }
    NestSurvey survey = NestSurvey.of(nest);
    for (ProductForm form : ProductForm.findAll(nest, survey)) {
      Affine factor = form.factor().place(nest);
      OptionalLong rowStep = form.rows().step(factor);
      OptionalLong pointStep = form.points().step(factor);
      if (isUsable(nest, form) && rowStep.isPresent() && pointStep.isPresent()) {
        long direct = direct(nest, form);
        return new ProductTile(
            nest,
            form,
            rowStep.getAsLong(),
            pointStep.getAsLong(),
            direct,
            survey.isUniform(form.lanes(), form.depth()),
            direct >= 0 ? null : PlaneForm.find(nest, form));
      }
    }
    return null;
  }

  /**
   * Whether tiles compute a form: all loops begin at 0, and only the panel may be out of bounds.
   */
  private static boolean isUsable(BoundNest nest, ProductForm form) {
    for (int depth = 0; depth < nest.loops(); depth++) {
      if (!Affine.constant(0, nest.loops()).equals(nest.start(depth))) {
        return false;
      }
    }
    return form.points().count() >= FEWEST_POINTS
        && form.panel().outside() == 0
        && form.factor().checkedAxes(nest).isEmpty();
  }

  private static long direct(BoundNest nest, ProductForm form) {
    Affine panel = form.panel().place(nest);
    boolean isAdjacent =
        form.panel().checkedAxes(nest).isEmpty()
            && form.lanes().count() >= LANES
            && form.lanes().step(panel).orElse(0) == 1
            && form.points().step(panel).isPresent();
    return isAdjacent ? form.points().step(panel).getAsLong() : -1;
  }

  /**
   * Returns the order of the factors that suits the tile; null if it has none. The rows must be a
   * multiple of 8, and rows and points of a batch must be neighbors in memory.
   */
  @Nullable PackedRows packedRows() {
    long rows = form.rows().count();
    long points = form.points().count();
    long chunk = rows * points;
    boolean isBlock = plane == null && rows % MOST_ROWS == 0 && chunk <= Integer.MAX_VALUE;
    if (!isBlock || !PackedRows.areAllElements(rows, points, rowStep, pointStep)) {
      return null;
    }
    Affine batch = form.rows().without(form.points().without(form.factor().place(nest)));
    if (batch.constant() % chunk != 0) {
      return null;
    }
    for (int depth = 0; depth < nest.loops(); depth++) {
      if (batch.coefficient(depth) % chunk != 0) {
        return null;
      }
    }
    return new PackedRows((int) rows, (int) points, (int) rowStep, (int) pointStep);
  }

  /** Whether the code of the tile has a loop of the nest around the tiles. */
  boolean opens(int loop) {
    for (int i = 0; i < form.batches().loops(); i++) {
      if (form.batches().depth(i) == loop) {
        return true;
      }
    }
    return plane != null && plane.around().contains(loop);
  }

  /** Returns the extents of a program, which are all known. */
  static RunExtents extents(MicroProgram program) {
    ImmutableMap.Builder<String, Tensor> inputs = ImmutableMap.builder();
    for (TensorDeclaration tensor : program.tensors()) {
      if (tensor.role() == TensorDeclaration.Role.INPUT) {
        ImmutableLongArray.Builder shape = ImmutableLongArray.builder();
        tensor.shape().forEach(extent -> shape.add(((Constant) extent).value()));
        inputs.put(tensor.name(), Tensor.withoutElements(tensor.type(), shape.build()));
      }
    }
    return RunExtents.of(program, inputs.buildOrThrow(), /* parameters= */ ImmutableMap.of());
  }

  /**
   * Whether a panel helps though the lanes of a point are adjacent in x: the points are whole pages
   * apart, so that a cache has room for few of them at the same time.
   */
  boolean isPaged() {
    return directStep >= 0
        && directStep % PAGE == 0
        && form.points().count() >= MANY_POINTS
        && form.rows().count() >= MANY_ROWS;
  }
}
