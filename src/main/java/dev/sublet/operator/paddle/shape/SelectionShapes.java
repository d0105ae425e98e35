package dev.sublet.operator.paddle.shape;

import com.google.common.collect.ImmutableList;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.DimLists;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.SymbolicExtent;
import java.util.ArrayList;
import java.util.List;

/** Shape rules for operators that select elements by value: at most all elements. */
final class SelectionShapes {

  private static final AbstractShape NOTHING = AbstractShape.of(0);

  private SelectionShapes() {}

  /**
   * Gives {@code Out} the distinct elements of {@code X}, or the distinct slices along {@code
   * axis}. An output that no attribute requests is empty.
   */
  static void unique(ShapeCall call) {
    AbstractShape x = call.in("X");
    if (!call.flag("is_sorted", false)) {
      call.out("Out", AbstractShape.of(call.atMost("distinct", x.dim(0))));
      call.out("Index", AbstractShape.of(x.dims()));
      call.out("Indices", NOTHING);
      call.out("Counts", NOTHING);
      return;
    }
    boolean flat = call.integers("axis").isEmpty();
    int axis = flat ? 0 : call.axis(call.integers("axis").get(0), x.rank());
    SymbolicExtent all = flat ? x.count() : x.dim(axis);
    SymbolicExtent distinct = call.atMost("distinct", all);
    List<SymbolicExtent> dims = new ArrayList<>(flat ? ImmutableList.of(all) : x.dims());
    dims.set(axis, distinct);
    call.out("Out", AbstractShape.of(dims));
    AbstractShape each = AbstractShape.of(distinct);
    call.out("Indices", call.flag("return_index", false) ? each : NOTHING);
    call.out("Index", call.flag("return_inverse", false) ? AbstractShape.of(all) : NOTHING);
    call.out("Counts", call.flag("return_counts", false) ? each : NOTHING);
  }

  /** Like {@link #unique}, but only neighbors are compared. */
  static void uniqueConsecutive(ShapeCall call) {
    AbstractShape x = call.in("X");
    boolean flat = call.integers("axis").isEmpty();
    int axis = flat ? 0 : call.axis(call.integers("axis").get(0), x.rank());
    SymbolicExtent all = flat ? x.count() : x.dim(axis);
    SymbolicExtent runs = call.atMost("runs", all);
    call.out(
        "Out",
        AbstractShape.of(flat ? ImmutableList.of(runs) : DimLists.with(x.dims(), axis, runs)));
    call.out("Index", call.flag("return_inverse", false) ? AbstractShape.of(all) : NOTHING);
    call.out("Counts", call.flag("return_counts", false) ? AbstractShape.of(runs) : NOTHING);
  }

  /** Gives {@code Out} the distinct elements of a list, and {@code Count} their frequencies. */
  static void uniqueWithCounts(ShapeCall call) {
    AbstractShape x = call.in("X");
    AbstractShape distinct = AbstractShape.of(call.atMost("distinct", x.dim(0)));
    call.out("Out", distinct);
    call.out("Count", distinct);
    call.out("Index", AbstractShape.of(x.dims()));
  }

  /** Gives {@code Out} one row per true element: the element's indices. */
  static void whereIndex(ShapeCall call) {
    AbstractShape condition = call.in("Condition");
    SymbolicExtent rows = call.atMost("rows", condition.count());
    call.out("Out", AbstractShape.of(rows, SymbolicExtent.of((long) condition.rank())));
  }

  /** Gives {@code Y} the elements of {@code X} at which {@code Mask} is true. */
  static void maskedSelect(ShapeCall call) {
    call.out("Y", AbstractShape.of(call.atMost("selected", call.in("X").count())));
  }
}
