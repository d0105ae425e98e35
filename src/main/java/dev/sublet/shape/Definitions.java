package dev.sublet.shape;

import com.google.common.collect.ImmutableList;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.spec.View;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The abstract shape of every output argument of every operator, by a dense number. */
final class Definitions {

  private final int[][] firstOf;
  private final @Nullable AbstractShape[] tensors;

  /** The pairs (number of an output, position of an input) that are alike in every run. */
  private final Set<Long> likeInputs = new HashSet<>();

  private final Set<Long> mayBeEmpty = new HashSet<>();

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

  /** Records whether an output is like an input in every run, for in-place computation. */
  void setLikeInput(Operation operation, int output, int input, boolean isLike) {
    long key = ((long) number(operation, output) << 32) | input;
    if (isLike) {
      likeInputs.add(key);
    } else {
      likeInputs.remove(key);
    }
  }

  /** Records that an operator may get a tensor without elements, in some pass over a loop. */
  void setMayBeEmpty(Operation operation) {
    mayBeEmpty.add((long) operation.block() << 32 | operation.index());
  }

  boolean mayBeEmpty(Operation operation) {
    return mayBeEmpty.contains((long) operation.block() << 32 | operation.index());
  }

  boolean isLikeInput(Operation operation, int output, int input) {
    return likeInputs.contains(((long) number(operation, output) << 32) | input);
  }

  /** Records the views at an operator. Replaces the views of an earlier pass over a loop. */
  void setViews(Operation operation, ImmutableList<View> found) {
    long key = (long) operation.block() << 32 | operation.index();
    if (found.isEmpty()) {
      views.remove(key);
    } else {
      views.put(key, found);
    }
  }

  ImmutableList<View> views(Operation operation) {
    long key = (long) operation.block() << 32 | operation.index();
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
