package dev.sublet.operator.onnx;

import com.google.common.collect.ImmutableList;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.operator.spec.ViewCall;
import dev.sublet.operator.spec.ViewRule;
import dev.sublet.operator.spec.ViewRule.Relation;
import dev.sublet.operator.spec.ViewRules;
import java.util.ArrayList;
import java.util.List;

/** Rules for the elements that ONNX's joins, cuts and dropouts copy unchanged. */
final class OnnxViewRules {

  private OnnxViewRules() {}

  /** {@code Dropout}: the output is a copy of the input, unless the operator may train. */
  static ViewRule dropout() {
    return new ViewRule(
        "0",
        "0",
        Relation.WHOLE,
        call -> {
          ShapeCall dropout = call.shapes();
          boolean isTold = call.inputs("2") > 0 && dropout.has("2");
          boolean mayTrain = isTold && !isConstantly(dropout.in("2"), 0);
          // Before opset 7 training is the default, and the attribute is_test turns it off.
          boolean isOld = dropout.hasAttribute("is_test") && !dropout.flag("is_test", false);
          if (!mayTrain && !isOld) {
            call.addWhole("0", "0");
          }
        });
  }

  private static boolean isConstantly(AbstractShape tensor, double value) {
    if (!tensor.hasElements() || tensor.elements().size() != 1) {
      return false;
    }
    SymbolicExtent element = tensor.elements().get(0);
    return element.isConstant() && element.is(value);
  }

  /** {@code Concat}: the inputs lie one after the other in the output. */
  static ViewRule concat() {
    return new ViewRule("0", "0", Relation.INPUT_IN_OUTPUT, OnnxViewRules::concat);
  }

  private static void concat(ViewCall call) {
    ShapeCall shapes = call.shapes();
    ImmutableList<AbstractShape> parts = OnnxInputs.from(shapes, 0);
    if (parts.isEmpty() || parts.size() != shapes.operation().inputSlots().size()) {
      return;
    }
    int axis = OnnxInputs.axis(shapes.integer("axis", 1), parts.get(0).rank());
    long total = 0;
    for (AbstractShape part : parts) {
      if (!ViewRules.isOneBefore(part, axis)) {
        return;
      }
      total += part.count().asLong();
    }
    if (call.outputCount("0", 0) != total) {
      return;
    }
    long start = 0;
    for (int i = 0; i < parts.size(); i++) {
      long count = parts.get(i).count().asLong();
      call.addInputInOutput(String.valueOf(i), 0, "0", start, count, total);
      start += count;
    }
  }

  /** {@code Split}: the outputs lie one after the other in the input. */
  static ViewRule split() {
    return new ViewRule("0", "0", Relation.OUTPUT_IN_INPUT, OnnxViewRules::split);
  }

  private static void split(ViewCall call) {
    ShapeCall shapes = call.shapes();
    AbstractShape x = shapes.in("0");
    int axis = OnnxInputs.axis(shapes.integer("axis", 0), x.rank());
    if (!ViewRules.isOneBefore(x, axis) || !isConstant(shapes, "1")) {
      return;
    }
    long total = x.count().asLong();
    long start = 0;
    for (int i = 0; i < shapes.operation().outputSlots().size(); i++) {
      String output = String.valueOf(i);
      long count = call.outputCount(output, 0);
      if (start + count <= total) {
        call.addOutputInInput("0", output, 0, start, count, total);
      }
      start += count;
    }
  }

  /** Whether an input is absent or its numbers are the same in every run. */
  private static boolean isConstant(ShapeCall call, String slot) {
    return !call.has(slot)
        || (call.in(slot).hasElements()
            && call.in(slot).elements().stream().allMatch(SymbolicExtent::isConstant));
  }

  /** {@code Slice}: only with steps of 1, and with limits that are the same in every run. */
  static ViewRule slice() {
    return new ViewRule("0", "0", Relation.OUTPUT_IN_INPUT, OnnxViewRules::slice);
  }

  private static void slice(ViewCall call) {
    ShapeCall shapes = call.shapes();
    for (String slot : List.of("1", "2", "3", "4")) {
      if (!isConstant(shapes, slot)) {
        return;
      }
    }
    AbstractShape x = shapes.in("0");
    for (SymbolicExtent step : OnnxInputs.numbers(shapes, "4", "steps")) {
      if (!step.is(1)) {
        return;
      }
    }
    List<Long> whole = new ArrayList<>();
    List<Long> starts = new ArrayList<>();
    for (SymbolicExtent extent : x.dims()) {
      whole.add(extent.asLong());
      starts.add(0L);
    }
    List<Long> left = new ArrayList<>(whole);
    ImmutableList<SymbolicExtent> from = OnnxInputs.numbers(shapes, "1", "starts");
    ImmutableList<SymbolicExtent> to = OnnxInputs.numbers(shapes, "2", "ends");
    int[] axes = OnnxIndexShapes.sliceAxes(shapes, x, from.size(), to.size());
    for (int i = 0; i < axes.length; i++) {
      long start = ViewRules.clamped((long) from.get(i).value(), whole.get(axes[i]));
      long end = ViewRules.clamped((long) to.get(i).value(), whole.get(axes[i]));
      starts.set(axes[i], start);
      left.set(axes[i], Math.max(0, end - start));
    }
    ViewRules.addSlice(call, "0", "0", whole, starts, left);
  }
}
