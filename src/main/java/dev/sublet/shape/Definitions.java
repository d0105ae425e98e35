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

/** What is known of every output argument of every operator, by a dense number of each. */
final class Definitions {

  private final int[][] firstOf;
  private final @Nullable AbstractShape[] tensors;

  /** Pairs of an output's number and an input position: equally many elements in every run. */
  private final Set<Long> likeInputs = new HashSet<>();

  private final Set<Long> mayBeEmpty = new HashSet<>();

  /** The views at an operator, by its block and index. */
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
   * The same, but operators that stand for those of another program write what those do, with the
   * same arguments at the same positions.
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

  /** Notes what an output is; what was noted in an earlier iteration is replaced. */
  void set(Operation operation, int output, AbstractShape tensor) {
    tensors[number(operation, output)] = tensor;
  }

  /** Notes whether an output has as many elements as an input, in every run. */
  void setLikeInput(Operation operation, int output, int input, boolean isLike) {
    long key = ((long) number(operation, output) << 32) | input;
    if (isLike) {
      likeInputs.add(key);
    } else {
      likeInputs.remove(key);
    }
  }

  /** Notes that an operator may get a tensor without elements, in any pass over a loop. */
  void setMayBeEmpty(Operation operation) {
    mayBeEmpty.add((long) operation.block() << 32 | operation.index());
  }

  boolean mayBeEmpty(Operation operation) {
    return mayBeEmpty.contains((long) operation.block() << 32 | operation.index());
  }

  boolean isLikeInput(Operation operation, int output, int input) {
    return likeInputs.contains(((long) number(operation, output) << 32) | input);
  }

  /** Notes the views at an operator; what was noted in an earlier iteration is replaced. */
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

  /** What an output is; null if its operator was never looked at. */
  @Nullable AbstractShape get(int number) {
    return tensors[number];
  }
}
