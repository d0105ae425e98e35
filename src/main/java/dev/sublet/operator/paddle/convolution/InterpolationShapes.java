package dev.sublet.operator.paddle.convolution;

import com.google.common.collect.ImmutableList;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.DimLists;
import dev.sublet.operator.infer.ImageLayout;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.ShapeMismatchException;
import dev.sublet.operator.infer.ShapeRule;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.operator.infer.UnknownShapeException;
import java.util.ArrayList;
import java.util.List;

/** Shape rules for scaling, grid sampling and bilateral slicing of images. */
public final class InterpolationShapes {

  /**
   * The attributes that give explicit extents. Images with fewer than three spatial axes use the
   * last ones.
   */
  private static final ImmutableList<String> EXTENTS = ImmutableList.of("out_d", "out_h", "out_w");

  private InterpolationShapes() {}

  /**
   * Returns a rule that scales images with the given number of spatial axes. The extents of {@code
   * Out} are from the first of these sources that is present: {@code SizeTensor}, {@code OutSize},
   * the extents of {@code X} times {@code Scale} or the attribute {@code scale}, the attributes
   * {@code out_d}, {@code out_h} and {@code out_w}.
   */
  static ShapeRule interpolate(int axes) {
    return call -> {
      AbstractShape x = call.in("X");
      ImageLayout layout = ImageLayout.of(call, "data_layout", x, axes);
      call.out("Out", layout.image(x, x.dim(layout.channelAxis()), extents(call, x, layout, axes)));
    };
  }

  private static List<SymbolicExtent> extents(
      ShapeCall call, AbstractShape x, ImageLayout layout, int axes) {
    List<AbstractShape> sizes = call.all("SizeTensor");
    List<SymbolicExtent> scales = scales(call, axes);
    List<SymbolicExtent> extents = new ArrayList<>();
    for (int i = 0; i < axes; i++) {
      String name = EXTENTS.get(3 - axes + i);
      if (i < sizes.size()) {
        extents.add(DimLists.element(call, sizes.get(i), 0, name));
      } else if (call.has("OutSize")) {
        extents.add(DimLists.element(call, call.in("OutSize"), i, name));
      } else if (!scales.isEmpty()) {
        extents.add(scaled(call, x.dim(layout.spatialAxis(i)), scales.get(i), name));
      } else if (call.integer(name, -1) > 0) {
        extents.add(SymbolicExtent.of(call.integer(name, -1)));
      } else {
        throw new UnknownShapeException("attribute " + name + " is not positive");
      }
    }
    return extents;
  }

  /**
   * Returns the scale factor of each axis; an empty list if there is no factor, or one is not
   * positive, which stands for no factor.
   */
  private static List<SymbolicExtent> scales(ShapeCall call, int axes) {
    List<SymbolicExtent> scales = new ArrayList<>();
    if (call.has("Scale")) {
      AbstractShape scale = call.in("Scale");
      boolean each = scale.hasElements() && scale.elements().size() > 1;
      for (int i = 0; i < axes; i++) {
        scales.add(DimLists.element(call, scale, each ? i : 0, "scale"));
      }
    } else {
      List<Double> given = call.reals("scale");
      for (int i = 0; i < axes && !given.isEmpty(); i++) {
        scales.add(SymbolicExtent.of(given.size() == 1 ? given.get(0) : given.get(i)));
      }
    }
    boolean isNone = scales.stream().anyMatch(scale -> scale.isExact() && scale.value() <= 0);
    return isNone ? ImmutableList.of() : scales;
  }

  /**
   * Returns an extent times a scale factor, rounded down, in the arithmetic of the runtime: a
   * fractional factor is a 32-bit float.
   */
  public static SymbolicExtent scaled(
      ShapeCall call, SymbolicExtent extent, SymbolicExtent scale, String name) {
    SymbolicExtent product = extent.times(scale);
    if (!scale.isExact()) {
      return call.unknown(name, "it depends on the elements of Scale");
    }
    float factor = (float) scale.value();
    if (factor == Math.rint(factor) || !extent.isKnown()) {
      return factor == Math.rint(factor) ? product : call.unknown(name, extent.cause());
    }
    double rounded = Math.floor((float) extent.value() * factor);
    return extent.isExact()
        ? product.map("rounded down", rounded)
        : call.atMost(name, SymbolicExtent.of(rounded));
  }

  /** Gives {@code Output} the channels of {@code X} at every point of {@code Grid}. */
  static void gridSampler(ShapeCall call) {
    AbstractShape x = call.in("X");
    AbstractShape grid = call.in("Grid");
    DimLists.checkRankAtLeast(x, "X", 3);
    DimLists.checkRank(grid, "Grid", x.rank());
    DimLists.checkEqual(
        x.dim(0), grid.dim(0), "X %s and Grid %s are for different numbers of images", x, grid);
    List<SymbolicExtent> extents = grid.dims().subList(1, grid.rank() - 1);
    call.out("Output", new ImageLayout(x.rank(), false).image(x, x.dim(1), extents));
  }

  /**
   * Gives {@code Output} the coordinates of every point of images whose shape {@code OutputShape}
   * or the attribute {@code output_shape} states.
   */
  static void affineGrid(ShapeCall call) {
    AbstractShape theta = call.in("Theta");
    List<SymbolicExtent> dims = new ArrayList<>();
    dims.add(theta.dim(0));
    List<Long> shape = call.integers("output_shape");
    long axes = theta.dim(1).asLong();
    if (axes != 2 && axes != 3) {
      throw new ShapeMismatchException("Theta " + theta + " is neither for areas nor for volumes");
    }
    for (int i = 2; i < axes + 2; i++) {
      if (call.has("OutputShape")) {
        dims.add(DimLists.element(call, call.in("OutputShape"), i, "extent " + i));
      } else if (i < shape.size()) {
        dims.add(SymbolicExtent.of(shape.get(i)));
      } else {
        throw new UnknownShapeException("attribute output_shape is too short");
      }
    }
    dims.add(SymbolicExtent.of(axes));
    call.out("Output", AbstractShape.of(dims));
  }

  /**
   * Gives {@code Theta@GRAD} a matrix per image: two rows and three columns for areas, three rows
   * and four columns for volumes.
   */
  static void affineGridGradient(ShapeCall call) {
    AbstractShape gradient = call.in("Output@GRAD");
    SymbolicExtent axes = gradient.dim(-1);
    call.out("Theta@GRAD", AbstractShape.of(gradient.dim(0), axes, axes.plus(1)));
  }

  /**
   * Gives {@code Out} the shape of {@code X} with another number of channels: the channels of
   * {@code Grid}, divided by the channels of {@code X}, or by one more with {@code has_offset}.
   */
  static void bilateralSlice(ShapeCall call) {
    AbstractShape x = call.in("X");
    SymbolicExtent taken = x.dim(1).plus(call.flag("has_offset", false) ? 1 : 0);
    SymbolicExtent made = call.in("Grid").dim(1).floorDividedBy(taken);
    call.out("Out", AbstractShape.of(DimLists.with(x.dims(), 1, made)));
  }
}
