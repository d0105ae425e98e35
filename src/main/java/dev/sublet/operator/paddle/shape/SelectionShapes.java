package dev.sublet.operator.paddle.shape;

import com.google.common.collect.ImmutableList;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.SymbolicExtent;
import java.util.ArrayList;
import java.util.List;

/** Shapes of elements that are selected by what they are: at most all of them. */
final class SelectionShapes {

  private static final AbstractShape NOTHING = AbstractShape.of(0);

  private SelectionShapes() {}

  /**
   * {@code Out} is the distinct elements of {@code X}, or the distinct slices along {@code axis};
   * where an attribute does not ask for an output, it is left empty.
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

  /** {@code Out} and {@code Count} are the distinct elements of a list and how many there are. */
  static void uniqueWithCounts(ShapeCall call) {
    AbstractShape x = call.in("X");
    AbstractShape distinct = AbstractShape.of(call.atMost("distinct", x.dim(0)));
    call.out("Out", distinct);
    call.out("Count", distinct);
    call.out("Index", AbstractShape.of(x.dims()));
  }

  /** {@code Out} is the place of each true element, a row for each. */
  static void whereIndex(ShapeCall call) {
    AbstractShape condition = call.in("Condition");
    SymbolicExtent rows = call.atMost("rows", condition.count());
    call.out("Out", AbstractShape.of(rows, SymbolicExtent.of((long) condition.rank())));
  }

  /** {@code Y} is the elements of {@code X} where {@code Mask} is true. */
  static void maskedSelect(ShapeCall call) {
    call.out("Y", AbstractShape.of(call.atMost("selected", call.in("X").count())));
  }
}
