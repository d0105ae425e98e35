package dev.sublet.operator.spec;

import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.operator.spec.ViewRule.Relation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Rules that find the elements that operators copy unchanged: all elements (reshapes and exact
 * copies) or contiguous parts (joins, splits, slices).
 *
 * <p>A part is contiguous only if the extents before the axis are 1. It is a view only if every
 * number that determines its place is the same in every run of the operator.
 */
public final class ViewRules {

  private ViewRules() {}

  /** The rule for operators whose output is the whole input. */
  static ViewRule whole(String input, String output) {
    return new ViewRule(
        input, output, Relation.WHOLE, /* always= */ true, call -> call.addWhole(input, output));
  }

  /**
   * The rule for {@code scale} by 1 without bias. The operator turns -0 into 0, which is the same
   * number: a reader of the input after the write of the output may find 0 instead of -0.
   */
  public static ViewRule scaleByOne() {
    return new ViewRule(
        "X",
        "Out",
        Relation.WHOLE,
        call -> {
          ShapeCall scale = call.shapes();
          boolean hasTensor = call.inputs("ScaleTensor") > 0;
          if (!hasTensor && scale.real("scale", 1) == 1 && scale.real("bias", 0) == 0) {
            call.addWhole("X", "Out");
          }
        });
  }

  /** The rule for {@code dropout} in inference: a copy if the operator scales in training. */
  public static ViewRule dropoutInInference() {
    return new ViewRule(
        "X",
        "Out",
        Relation.WHOLE,
        call -> {
          ShapeCall dropout = call.shapes();
          String implementation = dropout.text("dropout_implementation", "downgrade_in_infer");
          if (dropout.flag("is_test", false) && implementation.equals("upscale_in_train")) {
            call.addWhole("X", "Out");
          }
        });
  }

  /** The rule for {@code concat}: the elements of each X follow those of the X before. */
  public static ViewRule concat() {
    return new ViewRule("X", "Out", Relation.INPUT_IN_OUTPUT, ViewRules::concat);
  }

  private static void concat(ViewCall call) {
    ShapeCall shapes = call.shapes();
    List<AbstractShape> parts = shapes.all("X");
    if (shapes.has("AxisTensor") || parts.isEmpty() || parts.size() != call.inputs("X")) {
      return;
    }
    int axis = shapes.axis(shapes.integer("axis", 0), parts.get(0).rank());
    for (AbstractShape part : parts) {
      if (!isOneBefore(part, axis)) {
        return;
      }
    }
    addParts(call, parts, "Out");
  }

  /** The rule for {@code stack}: the elements of each X follow those of the X before. */
  public static ViewRule stack() {
    return new ViewRule("X", "Y", Relation.INPUT_IN_OUTPUT, ViewRules::stack);
  }

  private static void stack(ViewCall call) {
    ShapeCall shapes = call.shapes();
    List<AbstractShape> parts = shapes.all("X");
    if (parts.isEmpty() || parts.size() != call.inputs("X")) {
      return;
    }
    int axis = shapes.axis(shapes.integer("axis", 0), parts.get(0).rank() + 1);
    for (AbstractShape part : parts) {
      if (!isOneBefore(part, axis)) {
        return;
      }
    }
    addParts(call, parts, "Y");
  }

  private static void addParts(ViewCall call, List<AbstractShape> parts, String output) {
    long total = 0;
    for (AbstractShape part : parts) {
      total += part.count().asLong();
    }
    if (call.outputCount(output, 0) != total) {
      return;
    }
    long start = 0;
    for (int i = 0; i < parts.size(); i++) {
      long count = parts.get(i).count().asLong();
      call.addInputInOutput("X", i, output, start, count, total);
      start += count;
    }
  }

  /**
   * The rule for {@code split}, {@code unstack} and {@code unbind}: the elements of each output
   * follow those of the output before.
   */
  public static ViewRule split(String output) {
    return new ViewRule(
        "X",
        output,
        Relation.OUTPUT_IN_INPUT,
        call -> {
          ShapeCall shapes = call.shapes();
          if (!shapes.has("AxisTensor") && !shapes.has("SectionsTensorList")) {
            addSplit(call, output);
          }
        });
  }

  private static void addSplit(ViewCall call, String output) {
    AbstractShape x = call.shapes().in("X");
    int axis = call.shapes().axis(call.shapes().integer("axis", 0), x.rank());
    long total = 0;
    for (int i = 0; i < call.shapes().outputs(output); i++) {
      total += call.outputCount(output, i);
    }
    if (!isOneBefore(x, axis) || x.count().asLong() != total) {
      return;
    }
    long start = 0;
    for (int i = 0; i < call.shapes().outputs(output); i++) {
      long count = call.outputCount(output, i);
      call.addOutputInInput("X", output, i, start, count, total);
      start += count;
    }
  }

  /** Whether all extents before an axis are 1. */
  public static boolean isOneBefore(AbstractShape tensor, int axis) {
    for (int i = 0; i < axis; i++) {
      if (!tensor.dim(i).is(1)) {
        return false;
      }
    }
    return true;
  }

  /** The rule for {@code slice} with limits that are attributes. */
  public static ViewRule slice() {
    return new ViewRule("Input", "Out", Relation.OUTPUT_IN_INPUT, ViewRules::slice);
  }

  private static void slice(ViewCall call) {
    ShapeCall shapes = call.shapes();
    for (String limit : List.of("Starts", "Ends")) {
      if (call.inputs(limit + "Tensor") > 0 || call.inputs(limit + "TensorList") > 0) {
        return;
      }
    }
    AbstractShape input = shapes.in("Input");
    List<Long> whole = new ArrayList<>();
    for (SymbolicExtent extent : input.dims()) {
      whole.add(extent.asLong());
    }
    List<Long> starts = new ArrayList<>();
    List<Long> left = new ArrayList<>(whole);
    for (int i = 0; i < whole.size(); i++) {
      starts.add(0L);
    }
    List<Long> axes = shapes.required("axes");
    List<Long> from = shapes.required("starts");
    List<Long> to = shapes.required("ends");
    Set<Integer> seen = new HashSet<>();
    for (int i = 0; i < axes.size(); i++) {
      int axis = shapes.axis(axes.get(i), whole.size());
      if (i >= from.size() || i >= to.size() || axis >= whole.size() || !seen.add(axis)) {
        return;
      }
      long start = clamped(from.get(i), whole.get(axis));
      starts.set(axis, start);
      left.set(axis, Math.max(0, clamped(to.get(i), whole.get(axis)) - start));
    }
    addSlice(call, "Input", "Out", whole, starts, left);
  }

  /**
   * Adds the view of a slice if the slice is contiguous: if, for some axis, it takes one element
   * along each axis before that axis, and everything along each axis after it.
   */
  public static void addSlice(
      ViewCall call,
      String input,
      String output,
      List<Long> whole,
      List<Long> starts,
      List<Long> left) {
    int axis = 0;
    while (axis < whole.size() && left.get(axis) == 1) {
      axis++;
    }
    long start = 0;
    long count = 1;
    long stride = 1;
    for (int i = whole.size() - 1; i >= 0; i--) {
      if (i > axis && !left.get(i).equals(whole.get(i))) {
        return;
      }
      start += starts.get(i) * stride;
      count *= left.get(i);
      stride *= whole.get(i);
    }
    if (count > 0 && call.outputCount(output, 0) == count) {
      call.addOutputInInput(input, output, 0, start, count, stride);
    }
  }

  /** Returns a limit of a slice, counted from the front and clamped to the extent. */
  public static long clamped(long limit, long whole) {
    return Math.max(0, Math.min(limit < 0 ? limit + whole : limit, whole));
  }
}
