package dev.sublet.baseline;

import com.google.common.collect.ImmutableSet;
import com.google.common.math.LongMath;
import com.google.common.primitives.ImmutableLongArray;
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
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The bytes that a program needs under Paddle Inference's own {@code memory_optimize_pass}, and the
 * bytes that it needs if every name has its own. Graph passes, which change the program before, are
 * not taken into account.
 *
 * <pre>
 *   1  a = conv(x)      x lives throughout;  a: operators 1 to 2;  b: 2 to 3;  c: 3 to 4
 *   2  b = relu(a)      clusters:     {x}  {a, c}  {b}
 *   3  c = conv(b)      on its own:   d, since it is an argument of fetch
 *   4  d = relu(c)
 *   5  fetch(d)
 * </pre>
 *
 * <p>The pass plans the tensors of the main graph alone. A tensor lives from the first to the last
 * operator that reads or writes it, both included, so an operator's inputs and outputs never share;
 * a feed lives throughout. The largest tensor that has no cluster yet opens one, and takes in every
 * further tensor that lives apart from all members. Sizes are the declared ones, with one for open
 * extents; in the run, a cluster grows to its largest tensor. Tensors at operators that the pass
 * does not handle stay on their own, and so do those of inner blocks. Tensors of unknown size count
 * as empty.
 *
 * <p>The figures are estimates in Paddle's favor. Equally large tensors come in the order of their
 * first operators, then of their names; in Paddle they come in the order of a hash table, which
 * depends on the C++ library. On ten real programs Paddle 2.3.2 has as many clusters, and 1.00 to
 * 1.26 times the bytes ({@code MemoryPassTable}).
 *
 * <p>Each tensor goes into the first cluster in which it lives apart from all members, which gives
 * the same clusters. O(n · c) for n short-lived tensors and c clusters: near-linear for programs in
 * which few tensors are live together. Each cluster takes a bit per operator. The methods that
 * cluster give up after {@link #MOST_PROBES} questions whether a tensor fits a cluster.
 *
 * <p>Source: {@code paddle/fluid/inference/analysis/passes/memory_optimize_pass.cc} of Paddle 2.3.
 */
public final class PaddleMemoryPass {

  /** The most probes of a cluster for one program. */
  public static final long MOST_PROBES = 4_000_000;

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
  private record Lifetime(String name, long rank, long bytes, int first, int last) {}

  /** Tensors that share one buffer, none of which live together. */
  private static final class Cluster {

    /** The operators at which a member lives, a bit for each. */
    private long[] operators = new long[1];

    /** The declared bytes of the tensor that opened it. */
    private final long declared;

    private long bytes;

    private Cluster(long declared) {
      this.declared = declared;
    }

    /** Adds a tensor if it lives apart from all members. O(operators at which it lives). */
    private boolean add(Lifetime lifetime) {
      int firstWord = lifetime.first >> 6;
      int lastWord = lifetime.last >> 6;
      for (int word = firstWord; word <= lastWord && word < operators.length; word++) {
        if ((operators[word] & bits(lifetime, word)) != 0) {
          return false;
        }
      }
      if (lastWord >= operators.length) {
        operators = Arrays.copyOf(operators, Math.max(lastWord + 1, 2 * operators.length));
      }
      for (int word = firstWord; word <= lastWord; word++) {
        operators[word] |= bits(lifetime, word);
      }
      bytes = Math.max(bytes, lifetime.bytes);
      return true;
    }
  }

  /** The bits of a word that stand for operators at which a tensor lives. */
  private static long bits(Lifetime lifetime, int word) {
    long fromFirst = word == lifetime.first >> 6 ? -1L << lifetime.first : -1;
    long toLast = word == lifetime.last >> 6 ? -1L >>> (63 - (lifetime.last & 63)) : -1;
    return fromFirst & toLast;
  }

  private final Program program;
  private final Sizes sizes;
  private final int[] first;
  private final int[] last;
  private final boolean[] isUsed;
  private final boolean[] isAlone;
  private final int lastOperator;

  private PaddleMemoryPass(Program program, Sizes sizes) {
    this.program = program;
    this.sizes = sizes;
    this.first = new int[program.variableCount()];
    this.last = new int[program.variableCount()];
    this.isUsed = new boolean[program.variableCount()];
    this.isAlone = new boolean[program.variableCount()];
    this.lastOperator = program.block(0).operations().size() - 1;
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
    last[variable] = Math.max(last[variable], feeds ? lastOperator : operation.index());
    isAlone[variable] |= LEFT_ALONE.contains(operation.type());
  }

  /**
   * Returns the bytes of all tensors that do not persist, under the pass, which uses only declared
   * shapes and counts an open extent as 1, so a cluster may grow in the run. Empty if that takes
   * more than {@link #MOST_PROBES}.
   */
  public static OptionalLong bytes(Program program, Sizes sizes) {
    return new PaddleMemoryPass(program, sizes).clusteredBytes(/* knowsSizes= */ false);
  }

  /**
   * Returns the sizes of the clusters as the pass computes them, by declared shapes, the largest
   * first; empty if that takes more than {@link #MOST_PROBES}.
   */
  public static Optional<ImmutableLongArray> declaredClusters(Program program, Sizes sizes) {
    PaddleMemoryPass pass = new PaddleMemoryPass(program, sizes);
    return clusters(pass.lifetimes(/* knowsSizes= */ false))
        .map(
            clusters ->
                ImmutableLongArray.copyOf(clusters.stream().mapToLong(each -> each.declared)));
  }

  /** Returns the same for a pass that knows the sizes of the run. */
  public static OptionalLong bytesIfSizesWereKnown(Program program, Sizes sizes) {
    return new PaddleMemoryPass(program, sizes).clusteredBytes(/* knowsSizes= */ true);
  }

  /**
   * Returns the bytes of all tensors that do not persist if each name keeps its largest value's
   * bytes. O(n).
   */
  public static long bytesOfNames(Program program, Sizes sizes) {
    PaddleMemoryPass pass = new PaddleMemoryPass(program, sizes);
    long total = 0;
    for (Variable variable : program.variables()) {
      total += pass.counts(variable) ? pass.bytes(variable) : 0;
    }
    return total;
  }

  private OptionalLong clusteredBytes(boolean knowsSizes) {
    long alone = 0;
    for (Variable variable : program.variables()) {
      alone += counts(variable) && !isPlanned(variable) ? bytes(variable) : 0;
    }
    Optional<List<Cluster>> clusters = clusters(lifetimes(knowsSizes));
    return clusters.isPresent()
        ? OptionalLong.of(alone + clusters.get().stream().mapToLong(each -> each.bytes).sum())
        : OptionalLong.empty();
  }

  /** Whether the pass puts the variable into a cluster. */
  private boolean isPlanned(Variable variable) {
    int index = variable.index();
    return counts(variable) && variable.block() == 0 && last[index] >= 0 && !isAlone[index];
  }

  /** Returns the planned tensors in the order in which they open clusters. */
  private List<Lifetime> lifetimes(boolean knowsSizes) {
    List<Lifetime> planned = new ArrayList<>();
    for (Variable variable : program.variables()) {
      if (isPlanned(variable)) {
        long rank = knowsSizes ? bytes(variable) : declaredBytes(variable);
        int index = variable.index();
        planned.add(
            new Lifetime(variable.name(), rank, bytes(variable), first[index], last[index]));
      }
    }
    planned.sort(
        Comparator.comparingLong(Lifetime::rank)
            .reversed()
            .thenComparingInt(Lifetime::first)
            .thenComparing(Lifetime::name));
    return planned;
  }

  private static Optional<List<Cluster>> clusters(List<Lifetime> planned) {
    List<Cluster> clusters = new ArrayList<>();
    long probes = 0;
    for (Lifetime lifetime : planned) {
      int cluster = 0;
      while (cluster < clusters.size() && !clusters.get(cluster).add(lifetime)) {
        cluster++;
      }
      probes += cluster;
      if (probes > MOST_PROBES) {
        return Optional.empty();
      }
      if (cluster == clusters.size()) {
        Cluster opened = new Cluster(lifetime.rank);
        opened.add(lifetime);
        clusters.add(opened);
      }
    }
    return Optional.of(clusters);
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
      bytes = LongMath.saturatedMultiply(bytes, dim < 0 ? 1 : dim);
    }
    return bytes;
  }

  private long bytes(Variable variable) {
    return Math.max(0, sizes.bytes(variable.index()));
  }
}
