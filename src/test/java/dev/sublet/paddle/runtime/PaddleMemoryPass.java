package dev.sublet.paddle.runtime;

import com.google.common.collect.ImmutableSet;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.TensorType;
import dev.sublet.program.Variable;
import dev.sublet.shape.Sizes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The yardstick: how many bytes a program needs under Paddle Inference's own {@code
 * memory_optimize_pass}, and how many if every name has its own.
 *
 * <p>The pass plans the tensors of the main graph alone. A tensor lives from the first to the last
 * operator that reads or writes it, both included, so an operator's inputs and outputs never share;
 * a feed lives throughout. The largest tensor that has no cluster yet opens one, and takes in every
 * further tensor that lives apart from all members. Sizes are the declared ones, with one for open
 * extents; in the run, a cluster grows to its largest tensor. Equally large tensors come in the
 * order of their first operators, then of their names. Tensors at operators that the pass is afraid
 * of stay on their own, and so do those of inner blocks. Tensors of unknown size count as empty.
 */
public final class PaddleMemoryPass {

  /** Operators whose arguments the pass leaves alone. */
  private static final ImmutableSet<String> LEFT_ALONE =
      ImmutableSet.of(
          "while",
          "conditional_block",
          "tensorrt_engine",
          "conditional_block_infer",
          "merge_lod_tensor_infer",
          "merge_lod_tensor",
          "equal",
          "lod_reset",
          "sequence_pool",
          "recurrent",
          "fetch",
          "share_data");

  /**
   * A tensor that the pass plans; it lives from {@code first} to {@code last}, both included.
   *
   * @param rank the bytes that the pass takes it to have
   * @param bytes the bytes that it has in a run
   */
  private record Lifetime(String name, long rank, long bytes, int first, int last) {

    private boolean overlaps(Lifetime other) {
      return other.last >= first && last >= other.first;
    }
  }

  private final Program program;
  private final Sizes sizes;
  private final int[] first;
  private final int[] last;
  private final boolean[] isUsed;
  private final boolean[] isAlone;

  private PaddleMemoryPass(Program program, Sizes sizes) {
    this.program = program;
    this.sizes = sizes;
    this.first = new int[program.variableCount()];
    this.last = new int[program.variableCount()];
    this.isUsed = new boolean[program.variableCount()];
    this.isAlone = new boolean[program.variableCount()];
    Arrays.fill(first, Integer.MAX_VALUE);
    Arrays.fill(last, -1);
    for (Block block : program.blocks()) {
      for (Operation operation : block.operations()) {
        for (int i = 0; i < operation.inputCount(); i++) {
          use(operation, operation.input(i));
        }
        for (int i = 0; i < operation.outputCount(); i++) {
          use(operation, operation.output(i));
        }
      }
    }
  }

  private void use(Operation operation, int variable) {
    if (variable == Program.NO_VARIABLE) {
      return;
    }
    isUsed[variable] = true;
    if (operation.block() != 0) {
      return;
    }
    boolean feeds = operation.type().equals("feed");
    first[variable] = Math.min(first[variable], feeds ? 0 : operation.index());
    last[variable] = Math.max(last[variable], feeds ? Integer.MAX_VALUE : operation.index());
    isAlone[variable] |= LEFT_ALONE.contains(operation.type());
  }

  /**
   * What the pass needs for all tensors that do not persist, as it is: it knows the declared shapes
   * alone and takes open extents for one, so a cluster may grow in the run. O(tensors squared).
   */
  public static long bytes(Program program, Sizes sizes) {
    return new PaddleMemoryPass(program, sizes).clusteredBytes(/* knowsSizes= */ false);
  }

  /** What it would need if it knew the sizes of the run. O(tensors squared). */
  public static long bytesIfSizesWereKnown(Program program, Sizes sizes) {
    return new PaddleMemoryPass(program, sizes).clusteredBytes(/* knowsSizes= */ true);
  }

  /** What the tensors that do not persist need if each name keeps its largest value's bytes. */
  public static long bytesOfNames(Program program, Sizes sizes) {
    PaddleMemoryPass pass = new PaddleMemoryPass(program, sizes);
    long total = 0;
    for (Variable variable : program.variables()) {
      total += pass.counts(variable) ? pass.bytes(variable) : 0;
    }
    return total;
  }

  private long clusteredBytes(boolean knowsSizes) {
    List<Lifetime> planned = new ArrayList<>();
    long total = 0;
    for (Variable variable : program.variables()) {
      int index = variable.index();
      if (!counts(variable)) {
        continue;
      }
      if (variable.block() == 0 && last[index] >= 0 && !isAlone[index]) {
        long rank = knowsSizes ? bytes(variable) : declaredBytes(variable);
        planned.add(
            new Lifetime(variable.name(), rank, bytes(variable), first[index], last[index]));
      } else {
        total += bytes(variable);
      }
    }
    planned.sort(
        Comparator.comparingLong(Lifetime::rank)
            .reversed()
            .thenComparingInt(Lifetime::first)
            .thenComparing(Lifetime::name));
    while (!planned.isEmpty()) {
      List<Lifetime> cluster = new ArrayList<>();
      List<Lifetime> rest = new ArrayList<>();
      for (Lifetime lifetime : planned) {
        boolean isApart = cluster.stream().noneMatch(lifetime::overlaps);
        (isApart ? cluster : rest).add(lifetime);
      }
      total += cluster.stream().mapToLong(Lifetime::bytes).max().orElseThrow();
      planned = rest;
    }
    return total;
  }

  private boolean counts(Variable variable) {
    return isUsed[variable.index()]
        && variable.tensorType().isPresent()
        && !variable.isPersistable();
  }

  private static long declaredBytes(Variable variable) {
    TensorType type = variable.tensorType().orElseThrow();
    long bytes = type.dataType().bytes();
    for (long dim : type.dims().asList()) {
      bytes *= dim < 0 ? 1 : dim;
    }
    return bytes;
  }

  private long bytes(Variable variable) {
    return Math.max(0, sizes.bytes(variable.index()));
  }
}
