package dev.sublet.operator.paddle.reduction;

import com.google.common.collect.ImmutableList;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.DimLists;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.ShapeMismatchException;
import dev.sublet.operator.infer.ShapeRule;
import dev.sublet.operator.infer.SymbolicExtent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.BinaryOperator;

/** Shape rules for reductions, scans, sorts, and searches. */
public final class ReductionShapes {

  private static final AbstractShape SCALAR = AbstractShape.of(1);

  private ReductionShapes() {}

  /** Gives {@code Out} one number: {@code [1]}. */
  public static void scalar(ShapeCall call) {
    call.out("Out", SCALAR);
  }

  /** Removes the axes {@code dim}, or all axes; {@code keep_dim} leaves extents of 1. */
  public static void reduce(ShapeCall call) {
    call.out("Out", reduced(call));
  }

  /**
   * Returns the rule {@link #reduce} that also computes the element if all elements of a small
   * tensor are reduced to one.
   */
  public static ShapeRule fold(BinaryOperator<SymbolicExtent> function) {
    return call -> {
      AbstractShape result = reduced(call);
      AbstractShape x = call.in("X");
      boolean toOne = result.dims().stream().allMatch(extent -> extent.is(1));
      if (toOne && x.hasElements() && !x.elements().isEmpty()) {
        SymbolicExtent total = x.elements().stream().reduce(function).orElseThrow();
        result = result.withElements(ImmutableList.of(total));
      }
      call.out("Out", result);
    };
  }

  private static AbstractShape reduced(ShapeCall call) {
    AbstractShape x = call.in("X");
    List<Long> axes = new ArrayList<>(call.integers(call.hasAttribute("axis") ? "axis" : "dim"));
    if (axes.isEmpty() && !call.hasAttribute("dim") && !call.hasAttribute("axis")) {
      axes.add(0L); // Paddle's default
    }
    boolean keep = call.flag("keep_dim", call.flag("keepdim", false));
    boolean all = call.flag("reduce_all", false) || axes.isEmpty();
    boolean[] taken = new boolean[x.rank()];
    if (all) {
      Arrays.fill(taken, true);
    } else {
      for (long axis : axes) {
        take(call, axis, taken);
      }
    }
    return without(x, taken, keep)
        .withLod(taken.length > 0 && taken[0] ? ImmutableList.of() : x.lod());
  }

  /** Marks an axis as removed. A tensor of rank 0 has an axis to name and none to remove. */
  private static void take(ShapeCall call, long axis, boolean[] taken) {
    int place = call.axis(axis, taken.length);
    if (place < taken.length) {
      if (taken[place]) {
        throw new ShapeMismatchException("axis " + axis + " is reduced twice");
      }
      taken[place] = true;
    }
  }

  /** Returns the shape without the removed axes; {@code [1]} if no axis is left. */
  private static AbstractShape without(AbstractShape x, boolean[] taken, boolean keep) {
    return AbstractShape.of(DimLists.orOne(remaining(x, taken, keep)));
  }

  /** Returns the extents without the removed axes, or with 1 in their place if {@code keep}. */
  public static ImmutableList<SymbolicExtent> remaining(
      AbstractShape x, boolean[] taken, boolean keep) {
    ImmutableList.Builder<SymbolicExtent> dims = ImmutableList.builder();
    for (int i = 0; i < x.rank(); i++) {
      if (!taken[i]) {
        dims.add(x.dim(i));
      } else if (keep) {
        dims.add(SymbolicExtent.of(1));
      }
    }
    return dims.build();
  }

  /** Removes {@code axis}, or all axes if {@code asvector}. */
  public static void pNorm(ShapeCall call) {
    AbstractShape x = call.in("X");
    boolean all = call.flag("asvector", false);
    call.out("Out", all ? allTaken(call, x) : alongAxis(call, x, "axis", -1, "keepdim"));
  }

  private static AbstractShape allTaken(ShapeCall call, AbstractShape x) {
    boolean keep = call.flag("keepdim", false);
    return keep ? AbstractShape.of(Collections.nCopies(x.rank(), SymbolicExtent.of(1))) : SCALAR;
  }

  /**
   * {@code arg_max}, {@code arg_min}: removes {@code axis}, or searches the flattened tensor. Then
   * Paddle 2.3 gives one extent also with {@code keepdims}; another version may keep their number.
   */
  public static void search(ShapeCall call) {
    AbstractShape x = call.in("X");
    if (call.flag("flatten", false)) {
      AbstractShape kept = AbstractShape.of(Collections.nCopies(x.rank(), SymbolicExtent.of(1)));
      call.out("Out", call.flag("keepdims", false) ? call.either(kept, SCALAR) : SCALAR);
      return;
    }
    call.out("Out", alongAxis(call, x, "axis", -1, "keepdims"));
  }

  /** {@code kthvalue}, {@code mode}: values and indices without {@code axis}. */
  public static void select(ShapeCall call) {
    AbstractShape result = alongAxis(call, call.in("X"), "axis", -1, "keepdim");
    call.out("Out", result);
    call.out("Indices", result);
  }

  private static AbstractShape alongAxis(
      ShapeCall call, AbstractShape x, String axisName, int defaultAxis, String keepName) {
    boolean[] taken = new boolean[x.rank()];
    take(call, call.integer(axisName, defaultAxis), taken);
    return without(x, taken, call.flag(keepName, false));
  }

  /**
   * {@code norm}: {@code Out} has the shape of {@code X}, {@code Norm} has 1 along {@code axis}.
   */
  public static void norm(ShapeCall call) {
    AbstractShape x = call.in("X");
    boolean[] taken = new boolean[x.rank()];
    take(call, call.integer("axis", 1), taken);
    call.out("Out", x.withElements(null));
    call.out("Norm", without(x, taken, /* keep= */ true));
  }

  /** {@code argsort} and scans with indices: both outputs have the shape of {@code X}. */
  public static void sort(ShapeCall call) {
    AbstractShape x = call.in("X").withElements(null);
    call.out("Out", x);
    call.out("Indices", x);
    call.out("indices", x);
  }

  /** {@code top_k}: the last extent is {@code k}; {@code top_k_v2}: that of {@code axis}. */
  public static void topK(ShapeCall call) {
    AbstractShape x = call.in("X");
    SymbolicExtent k = call.has("K") ? call.number("K") : SymbolicExtent.of(call.integer("k", 1));
    AbstractShape result = best(call, x, call.integer("axis", -1), k);
    call.out("Out", result);
    call.out("Indices", result);
  }

  /** Returns the shape of the k best elements along an axis. */
  public static AbstractShape best(
      ShapeCall call, AbstractShape x, int alongAxis, SymbolicExtent k) {
    int axis = call.axis(alongAxis, x.rank());
    SymbolicExtent extent = x.dim(axis);
    if (k.isExact() && extent.isExact() && k.value() > extent.value()) {
      throw new ShapeMismatchException("k is " + k + ", but X " + x + " has " + extent);
    }
    return AbstractShape.of(DimLists.with(x.dims(), axis, k)).withLod(x.lod());
  }

  /** {@code cumsum}, {@code cumprod}: the shape of {@code X}, flattened if {@code flatten}. */
  public static void scan(ShapeCall call) {
    AbstractShape x = call.in("X");
    boolean flat = call.flag("flatten", false);
    call.out("Out", flat ? AbstractShape.of(x.count()) : x.withElements(null));
  }

  /** {@code histogram}: one number per bin. */
  public static void histogram(ShapeCall call) {
    call.out("Out", AbstractShape.of(call.integer("bins", 100)));
  }

  /** {@code squared_l2_distance}: one number per row. */
  public static void squaredDistance(ShapeCall call) {
    AbstractShape x = call.in("X");
    SymbolicExtent columns = DimLists.product(x.dims().subList(1, x.rank()));
    call.out("sub_result", AbstractShape.of(x.dim(0), columns).withLod(x.lod()));
    call.out("Out", AbstractShape.of(x.dim(0), SymbolicExtent.of(1)).withLod(x.lod()));
  }
}
