package dev.sublet.shape;

import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.operator.paddle.control.ArrayShapes;
import dev.sublet.program.Block;
import dev.sublet.program.DataType;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.TensorType;
import dev.sublet.program.Variable;
import dev.sublet.shape.CountedValues.Counted;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Bounds of the indices at which the body of a {@code while_grad} writes elements of arrays. Its
 * counter falls, or stays: so it is never larger than what other operators have written into it.
 *
 * <pre>
 *   while:      i at most 9 afterwards
 *   while_grad: i = increment(i) {step: -1}; g[i] = d      i is at most 9 at the head of the body, so
 *                                                         the index is at most 8
 * </pre>
 */
final class GradientIndices {

  /** No bound. */
  static final double NONE = Double.POSITIVE_INFINITY;

  private final Program program;
  private final Definitions definitions;

  /** The variables that may also get values without an operator that writes them by name. */
  private final BitSet others;

  /** By body: the values at the end. */
  private final Map<Integer, CountedValues> ends = new HashMap<>();

  /** By counter and body: the largest number from elsewhere. */
  private final Map<List<Integer>, Double> elsewhere = new HashMap<>();

  GradientIndices(Program program, Definitions definitions, BitSet others) {
    this.program = program;
    this.definitions = definitions;
    this.others = others;
  }

  /**
   * Returns the largest index at which an operator of a body of {@code while_grad} can write an
   * element; {@link #NONE} if there is no bound. O(operators of the body), and O(operators of the
   * program) once for each counter of a body.
   */
  double bound(Operation write) {
    int input = write.firstInput("I");
    int variable = input < 0 ? Program.NO_VARIABLE : write.input(input);
    if (variable == Program.NO_VARIABLE) {
      return NONE;
    }
    Block body = program.block(write.block());
    Counted index = valuesBefore(body, write.index()).get(variable);
    if (index.isConstant()) {
      return index.offset() >= 0 ? index.offset() : NONE;
    }
    int counter = index.base();
    Counted end = counter < 0 ? index : end(body).get(counter);
    boolean falls = counter >= 0 && end.base() == counter && end.offset() <= 0;
    double most =
        falls
            ? elsewhere.computeIfAbsent(
                List.of(counter, body.index()), key -> mostElsewhere(counter, body))
            : NONE;
    return most == NONE ? NONE : Math.max(0, most + index.offset());
  }

  private CountedValues end(Block body) {
    return ends.computeIfAbsent(
        body.index(), index -> valuesBefore(body, body.operations().size()));
  }

  private CountedValues valuesBefore(Block body, int position) {
    CountedValues values = new CountedValues(program, definitions);
    for (Operation operation : body.operations().subList(0, position)) {
      values.add(operation);
    }
    return values;
  }

  /** The largest number that operators outside of a body write into a counter. */
  private double mostElsewhere(int counter, Block body) {
    Variable declared = program.variable(counter);
    DataType type = declared.tensorType().map(TensorType::dataType).orElse(DataType.UNKNOWN);
    if (declared.block() == body.index()
        || declared.isPersistable()
        || others.get(counter)
        || (type != DataType.INT32 && type != DataType.INT64)) {
      return NONE;
    }
    double most = Double.NEGATIVE_INFINITY;
    for (Block block : program.blocks()) {
      for (Operation operation : block.operations()) {
        for (int i = 0; i < operation.outputCount() && block.index() != body.index(); i++) {
          if (operation.output(i) == counter && !definitions.isSkipped(operation)) {
            most = Math.max(most, bound(definitions.get(definitions.number(operation, i))));
          }
        }
      }
    }
    return most == Double.NEGATIVE_INFINITY ? NONE : most;
  }

  private static double bound(@Nullable AbstractShape shape) {
    SymbolicExtent number = shape == null ? null : ArrayShapes.number(shape);
    return number != null && number.isKnown() ? number.value() : NONE;
  }
}
