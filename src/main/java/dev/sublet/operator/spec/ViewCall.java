package dev.sublet.operator.spec;

import com.google.common.collect.ImmutableList;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.ShapeMismatchException;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.operator.infer.UnknownShapeException;
import dev.sublet.program.DataType;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.TensorType;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One operator with inferred shapes, to which its {@link ViewRule} adds views.
 *
 * <p>A rule must add only views that hold whatever the elements are. This class silently drops
 * every pair of arguments that cannot be a view: arguments without a variable, without bytes, of
 * two different element types, or of an element type without a fixed width; and outputs that the
 * operator does not write entirely, reads as well, or has twice.
 */
public final class ViewCall {

  /** The maximum number of elements whose number of bytes fits 64 bits for every element type. */
  private static final long MAX_ELEMENTS = Long.MAX_VALUE / 64;

  private final Program program;
  private final OperatorSpec spec;
  private final ShapeCall shapes;
  private final @Nullable AbstractShape[] outputs;
  private final ImmutableList.Builder<View> views = ImmutableList.builder();

  private ViewCall(
      Program program, OperatorSpec spec, ShapeCall shapes, @Nullable AbstractShape[] outputs) {
    this.program = program;
    this.spec = spec;
    this.shapes = shapes;
    this.outputs = outputs.clone();
  }

  /**
   * Returns the views at an operator. O(arguments).
   *
   * @param shapes the call of the operator's shape rule
   * @param outputs the abstract shape of each output argument, in file order
   */
  public static ImmutableList<View> find(
      Program program, OperatorSpec spec, ShapeCall shapes, @Nullable AbstractShape[] outputs) {
    ViewRule rule = spec.viewRule();
    if (rule == null || !shapes.operation().blocks().isEmpty()) {
      return ImmutableList.of();
    }
    ViewCall call = new ViewCall(program, spec, shapes, outputs);
    try {
      rule.finder().find(call);
    } catch (UnknownShapeException | ShapeMismatchException e) {
      // Without these numbers there is no view; the shape rule has already reported the error.
      return ImmutableList.of();
    }
    return call.views.build();
  }

  /** The operator's inputs and attributes. */
  public ShapeCall shapes() {
    return shapes;
  }

  /** The number of arguments of an input slot, including arguments without a variable. */
  public int inputs(String slot) {
    return shapes.operation().inputSlot(slot).map(s -> s.size()).orElse(0);
  }

  /**
   * The exact number of elements of an output.
   *
   * @throws UnknownShapeException if there is no such output, or the number is not known
   */
  public long outputCount(String slot, int i) {
    int position = shapes.outputAt(slot, i);
    AbstractShape tensor = position < 0 ? null : outputs[position];
    if (tensor == null) {
      throw new UnknownShapeException("there is no output " + slot);
    }
    return tensor.count().asLong();
  }

  /**
   * Adds the view of an output that has all elements of the input in order, if the two provably
   * have the same number of elements.
   */
  public void addWhole(String inputSlot, String outputSlot) {
    int input = shapes.inputAt(inputSlot, 0);
    int output = shapes.outputAt(outputSlot, 0);
    AbstractShape target = output < 0 ? null : outputs[output];
    if (input < 0 || target == null || !target.hasRank() || !shapes.input(input).hasRank()) {
      return;
    }
    SymbolicExtent from = shapes.input(input).count();
    SymbolicExtent to = target.count();
    boolean equal = from.isExact() && to.isExact() && from.value() == to.value();
    if (to.isKnown() && (equal || from.isSame(to))) {
      add(input, output, ViewRule.Relation.WHOLE, 0, (long) to.value(), (long) to.value());
    }
  }

  /**
   * Adds the view of an input that is {@code count} of the output's {@code total} elements, from
   * element {@code start} on.
   */
  public void addInputInOutput(
      String inputSlot, int i, String outputSlot, long start, long count, long total) {
    add(
        shapes.inputAt(inputSlot, i),
        shapes.outputAt(outputSlot, 0),
        ViewRule.Relation.INPUT_IN_OUTPUT,
        -start,
        count,
        total);
  }

  /**
   * Adds the view of an output that is {@code count} of the input's {@code total} elements, from
   * element {@code start} on.
   */
  public void addOutputInInput(
      String inputSlot, String outputSlot, int i, long start, long count, long total) {
    add(
        shapes.inputAt(inputSlot, 0),
        shapes.outputAt(outputSlot, i),
        ViewRule.Relation.OUTPUT_IN_INPUT,
        start,
        count,
        total);
  }

  private void add(
      int input, int output, ViewRule.Relation relation, long offset, long count, long total) {
    Operation operation = shapes.operation();
    if (input < 0
        || output < 0
        || operation.output(output) == Program.NO_VARIABLE
        || count <= 0
        || total > MAX_ELEMENTS) {
      return;
    }
    int source = operation.input(input);
    int target = operation.output(output);
    DataType type = dataType(source);
    boolean written =
        effect(output) == Effect.MUST_WRITE
            && operation.countInputs(target) == 0
            && operation.countOutputs(target) == 1
            && operation.countOutputs(source) == 0;
    if (written && type != DataType.UNKNOWN && type == dataType(target) && type.bytes() > 0) {
      views.add(
          new View(
              input,
              output,
              relation,
              Math.multiplyExact(offset, (long) type.bytes()),
              Math.multiplyExact(count, (long) type.bytes()),
              Math.multiplyExact(total, (long) type.bytes())));
    }
  }

  private Effect effect(int output) {
    int base = 0;
    for (dev.sublet.program.Slot slot : shapes.operation().outputSlots()) {
      base += slot.size();
      if (output < base) {
        return spec.effects().on(slot.name());
      }
    }
    throw new IllegalArgumentException("there is no output " + output);
  }

  private DataType dataType(int variable) {
    Optional<TensorType> type = program.variable(variable).tensorType();
    return type.map(TensorType::dataType).orElse(DataType.UNKNOWN);
  }
}
