package dev.sublet.operator;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;

/** Shapes of elements that are selected by what they are: at most all of them. */
final class SelectionShapes {

  private static final AbstractTensor NOTHING = AbstractTensor.of(0);

  private SelectionShapes() {}

  /**
   * {@code Out} is the distinct elements of {@code X}, or the distinct slices along {@code axis};
   * where an attribute does not ask for an output, it is left empty.
   */
  static void unique(ShapeCall call) {
    AbstractTensor x = call.in("X");
    if (!call.flag("is_sorted", false)) {
      call.out("Out", AbstractTensor.of(call.atMost("distinct", x.dim(0))));
      call.out("Index", AbstractTensor.of(x.dims()));
      call.out("Indices", NOTHING);
      call.out("Counts", NOTHING);
      return;
    }
    boolean flat = call.integers("axis").isEmpty();
    int axis = flat ? 0 : call.axis(call.integers("axis").get(0), x.rank());
    Quantity all = flat ? x.count() : x.dim(axis);
    Quantity distinct = call.atMost("distinct", all);
    List<Quantity> dims = new ArrayList<>(flat ? ImmutableList.of(all) : x.dims());
    dims.set(axis, distinct);
    call.out("Out", AbstractTensor.of(dims));
    AbstractTensor each = AbstractTensor.of(distinct);
    call.out("Indices", call.flag("return_index", false) ? each : NOTHING);
    call.out("Index", call.flag("return_inverse", false) ? AbstractTensor.of(all) : NOTHING);
    call.out("Counts", call.flag("return_counts", false) ? each : NOTHING);
  }

  /** {@code Out} and {@code Count} are the distinct elements of a list and how many there are. */
  static void uniqueWithCounts(ShapeCall call) {
    AbstractTensor x = call.in("X");
    AbstractTensor distinct = AbstractTensor.of(call.atMost("distinct", x.dim(0)));
    call.out("Out", distinct);
    call.out("Count", distinct);
    call.out("Index", AbstractTensor.of(x.dims()));
  }

  /** {@code Out} is the place of each true element, a row for each. */
  static void whereIndex(ShapeCall call) {
    AbstractTensor condition = call.in("Condition");
    Quantity rows = call.atMost("rows", condition.count());
    call.out("Out", AbstractTensor.of(rows, Quantity.of((long) condition.rank())));
  }

  /** {@code Y} is the elements of {@code X} where {@code Mask} is true. */
  static void maskedSelect(ShapeCall call) {
    call.out("Y", AbstractTensor.of(call.atMost("selected", call.in("X").count())));
  }
}
