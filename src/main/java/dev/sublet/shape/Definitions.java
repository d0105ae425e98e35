package dev.sublet.shape;

import com.google.common.collect.ImmutableList;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.spec.InPlacePair;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.operator.spec.View;
import dev.sublet.operator.spec.ViewCall;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The abstract shape of every output argument of every operator, by a dense number, and the facts
 * about operators that follow from the shapes of their arguments: the outputs that are like an
 * input, the views, and the operators that may get an empty tensor.
 */
final class Definitions {

  private final int[][] firstOf;
  private final @Nullable AbstractShape[] tensors;

  /** The pairs (number of an output, position of an input) that are alike in every run. */
  private final Set<Long> likeInputs = new HashSet<>();

  private final Set<Long> mayBeEmpty = new HashSet<>();

  /** By block and index, the operators that do not run for the given shapes. */
  private final Set<Long> skipped = new HashSet<>();

  /** The views at each operator, by its block and index. */
  private final Map<Long, ImmutableList<View>> views = new HashMap<>();

  Definitions(Program program) {
    List<int[]> starts = new ArrayList<>();
    int count = 0;
    for (Block block : program.blocks()) {
      int[] start = new int[block.operations().size()];
      for (Operation operation : block.operations()) {
        start[operation.index()] = count;
        count += operation.outputCount();
      }
      starts.add(start);
    }
    firstOf = starts.toArray(new int[0][]);
    tensors = new AbstractShape[count];
  }

  /**
   * Returns these definitions, except that copies of operators of another program get the
   * definitions of their originals. A copy has the same arguments at the same positions.
   */
  Definitions withThoseOf(Definitions other, Program program, CopiedFrom copies) {
    Definitions result = new Definitions(program);
    for (Block block : program.blocks()) {
      for (Operation operation : block.operations()) {
        Operation source = copies.operation(operation);
        if (source == null) {
          result.copy(operation, this, operation);
        } else {
          result.copy(operation, other, source);
        }
      }
    }
    return result;
  }

  private void copy(Operation operation, Definitions from, Operation source) {
    for (int output = 0; output < operation.outputCount(); output++) {
      tensors[number(operation, output)] = from.tensors[from.number(source, output)];
      for (int input = 0; input < operation.inputCount(); input++) {
        setLikeInput(operation, output, input, from.isLikeInput(source, output, input));
      }
    }
    setViews(operation, from.views(source));
    if (from.mayBeEmpty(source)) {
      setMayBeEmpty(operation);
    }
    if (from.skipped.contains(key(source))) {
      skipped.add(key(operation));
    }
  }

  /** The number of an output argument. */
  int number(Operation operation, int output) {
    return firstOf[operation.block()][operation.index()] + output;
  }

  int count() {
    return tensors.length;
  }

  /** Records the shape of an output. Replaces the shape of an earlier pass over a loop. */
  void set(Operation operation, int output, AbstractShape tensor) {
    tensors[number(operation, output)] = tensor;
  }

  /**
   * Records for each in-place pair of an operator whether its two sides are alike in every run.
   * They must have the same shape, because the runtime may set the output's shape before the kernel
   * reads the input's shape. For views and operators of ONNX, equally many elements are enough.
   * Replaces the facts of an earlier pass over a loop. O(extents of the pairs).
   */
  void findLikeInputs(OperatorSpec spec, ShapeCall call) {
    Operation operation = call.operation();
    for (InPlacePair pair : spec.inPlacePairs()) {
      int input = operation.firstInput(pair.input());
      int output = operation.firstOutput(pair.output());
      if (input >= 0
          && output >= 0
          && operation.input(input) != Program.NO_VARIABLE
          && operation.output(output) != Program.NO_VARIABLE) {
        AbstractShape source = call.input(input);
        AbstractShape target = get(number(operation, output));
        boolean like =
            target != null
                && haveSameCount(source, target)
                && (spec.viewRule() != null || spec.isOnnx() || haveSameDims(source, target))
                && pair.allows(call);
        setLikeInput(operation, output, input, like);
      }
    }
  }

  private static boolean haveSameCount(AbstractShape source, AbstractShape target) {
    return source.hasCount() && target.hasCount() && source.count().isSame(target.count());
  }

  private static boolean haveSameDims(AbstractShape source, AbstractShape target) {
    if (!source.hasRank() || !target.hasRank() || source.rank() != target.rank()) {
      return false;
    }
    for (int i = 0; i < source.rank(); i++) {
      if (!source.dim(i).isSame(target.dim(i))) {
        return false;
      }
    }
    return true;
  }

  private void setLikeInput(Operation operation, int output, int input, boolean isLike) {
    long key = ((long) number(operation, output) << 32) | input;
    if (isLike) {
      likeInputs.add(key);
    } else {
      likeInputs.remove(key);
    }
  }

  boolean isLikeInput(Operation operation, int output, int input) {
    return likeInputs.contains(((long) number(operation, output) << 32) | input);
  }

  /**
   * Records an operator that may get a tensor without elements in some pass over a loop, if it then
   * keeps earlier values of its outputs. O(extents of the inputs).
   */
  void findEmptyInputs(Program program, OperatorSpec spec, ShapeCall call) {
    Operation operation = call.operation();
    boolean matters = spec.effects().dependOnElements();
    for (int i = 0; matters && i < operation.inputCount(); i++) {
      int variable = operation.input(i);
      boolean isTensor =
          variable != Program.NO_VARIABLE
              && program.variable(variable).kind() == Variable.Kind.TENSOR;
      if (isTensor && !call.input(i).isNeverWritten() && !surelyHasElements(call.input(i))) {
        setMayBeEmpty(operation);
      }
    }
  }

  private static boolean surelyHasElements(AbstractShape tensor) {
    if (!tensor.hasRank()) {
      return false;
    }
    for (int i = 0; i < tensor.rank(); i++) {
      if (!tensor.dim(i).isExact() || tensor.dim(i).value() == 0) {
        return false;
      }
    }
    return true;
  }

  private void setMayBeEmpty(Operation operation) {
    mayBeEmpty.add(key(operation));
  }

  private static long key(Operation operation) {
    return (long) operation.block() << 32 | operation.index();
  }

  /** Records that an operator does not run for the given shapes, unless in another pass. */
  void skip(Operation operation) {
    skipped.add(key(operation));
  }

  /**
   * Whether no run with the given shapes gets to the end of an operator: it was skipped or its
   * outputs are never made, and no other pass has made them.
   */
  boolean isSkipped(Operation operation) {
    boolean isSkipped = skipped.contains(key(operation));
    for (int i = 0; i < operation.outputCount(); i++) {
      AbstractShape tensor = get(number(operation, i));
      if (tensor != null && !tensor.isNeverMade()) {
        return false;
      }
      isSkipped |= tensor != null;
    }
    return isSkipped;
  }

  boolean mayBeEmpty(Operation operation) {
    // An operator that is skipped may run with other shapes, and have inputs without elements then.
    return mayBeEmpty.contains(key(operation)) || isSkipped(operation);
  }

  /**
   * Records the views at an operator. Replaces the views of an earlier pass over a loop.
   * O(arguments).
   */
  void findViews(Program program, OperatorSpec spec, ShapeCall call) {
    if (spec.viewRule() != null) {
      Operation operation = call.operation();
      int first = number(operation, 0);
      @Nullable AbstractShape[] outputs =
          Arrays.copyOfRange(tensors, first, first + operation.outputCount());
      setViews(operation, ViewCall.find(program, spec, call, outputs));
    }
  }

  private void setViews(Operation operation, ImmutableList<View> found) {
    long key = key(operation);
    if (found.isEmpty()) {
      views.remove(key);
    } else {
      views.put(key, found);
    }
  }

  ImmutableList<View> views(Operation operation) {
    long key = key(operation);
    return views.getOrDefault(key, ImmutableList.of());
  }

  boolean hasViews() {
    return !views.isEmpty();
  }

  /** The shape of an output; null if its operator was never interpreted. */
  @Nullable AbstractShape get(int number) {
    return tensors[number];
  }
}
