package dev.sublet.runtime.machine;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.TensorType;
import dev.sublet.runtime.kernel.ElementTypes;
import dev.sublet.runtime.kernel.ElementWriter;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.memory.Step;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The operators that collect one piece per iteration of ONNX's {@code Loop} and {@code Scan} into
 * one tensor. The first iteration begins a new tensor. O(elements collected so far) per iteration.
 *
 * <p>Source: the operator specifications of {@code Loop} and {@code Scan}, opset 9 and later.
 */
final class CollectOperators {

  private CollectOperators() {}

  /** {@code onnx.Loop.collect}: adds a piece at the end of the first axis. */
  static void inLoop(Step step, Machine machine) {
    Tensor piece = step.read("X").tensor();
    int iteration = iteration(step);
    long[] shape = Shapes.concat(new long[] {iteration + 1L}, piece.shape().toArray());
    Tensor whole = Tensor.zeros(piece.type(), ImmutableLongArray.copyOf(shape));
    if (iteration > 0) {
      Tensor before = collected(step);
      ElementWriter.copy(before, 0, whole, 0, before.length());
    }
    ElementWriter.copy(piece, 0, whole, iteration * piece.length(), piece.length());
    step.write("Out", LodTensor.of(whole));
  }

  /** {@code onnx.Scan.collect}: sets a piece along an axis, from the end for direction 1. */
  static void inScan(Step step, Machine machine) {
    Tensor piece = step.read("X").tensor();
    int iteration = iteration(step);
    ImmutableLongArray scanned = step.read("Like").tensor().shape();
    long count = scanned.get(Shapes.axis(number(step, "like_axis"), scanned.length()));
    int axis = Shapes.axis(number(step, "axis"), piece.rank() + 1);
    long[] extents = piece.shape().toArray();
    long outer = Shapes.count(extents, 0, axis);
    int inner = (int) Shapes.count(extents, axis, extents.length);
    long place = number(step, "direction") == 1 ? count - 1 - iteration : iteration;
    Tensor whole;
    if (iteration > 0) {
      whole = ElementWriter.duplicate(collected(step));
    } else {
      long[] shape = new long[extents.length + 1];
      System.arraycopy(extents, 0, shape, 0, axis);
      shape[axis] = count;
      System.arraycopy(extents, axis, shape, axis + 1, extents.length - axis);
      whole = Tensor.zeros(piece.type(), ImmutableLongArray.copyOf(shape));
    }
    for (int i = 0; i < outer; i++) {
      ElementWriter.copy(piece, i * inner, whole, (int) (i * count + place) * inner, inner);
    }
    step.write("Out", LodTensor.of(whole));
  }

  /**
   * Returns the tensor that an operator collects in a loop without iterations: unknown extents of
   * its pieces become 0, as in ONNX Runtime. Null if the operator does not collect, or the type of
   * its result is not known.
   */
  static @Nullable LodTensor empty(Operation operation, Program program) {
    boolean isScan = operation.type().equals("onnx.Scan.collect");
    if (!isScan && !operation.type().equals("onnx.Loop.collect")) {
      return null;
    }
    Optional<TensorType> piece = program.variable(operation.input(0)).tensorType();
    Optional<ElementType> type =
        program
            .variable(operation.output(0))
            .tensorType()
            .flatMap(whole -> ElementTypes.find(whole.dataType()));
    if (type.isEmpty()) {
      return null;
    }
    List<Long> shape = new ArrayList<>();
    piece.ifPresent(found -> found.dims().forEach(extent -> shape.add(Math.max(extent, 0))));
    long axis = operation.attribute("axis").map(a -> a.asLong(0)).orElse(0L);
    shape.add(Shapes.axis(axis, shape.size() + 1), 0L);
    return LodTensor.of(Tensor.zeros(type.get(), ImmutableLongArray.copyOf(shape)));
  }

  private static Tensor collected(Step step) {
    return step.readOld(step.output("Out")).tensor();
  }

  private static int iteration(Step step) {
    long iteration = step.read("I").tensor().getLong(0);
    if (iteration < 0 || iteration > Integer.MAX_VALUE - 8) {
      throw new OperatorException("iteration " + iteration);
    }
    return (int) iteration;
  }

  private static long number(Step step, String attribute) {
    return step.operation().attribute(attribute).map(a -> a.asLong(0)).orElse(0L);
  }
}
