package dev.sublet.verify.fusion;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;

/**
 * The operators of the first block that passes may remove or replace. A path is followed from its
 * first operator along the readers of results, and through dropouts, which the first pass removes.
 *
 * <p>A path is written as types in the order of execution. {@code =} precedes an operator that
 * stays, {@code ~} an operator whose result disappears, {@code ^} an operator whose result the one
 * before it may write; {@code #} follows an operator whose Y is a weight.
 */
final class PassPaths {

  private static final ImmutableList<String> TEXTS =
      ImmutableList.of(
          "dropout",
          "matmul_v2",
          "matmul#",
          "mul lstm",
          "~mul gru",
          "~mul ~elementwise_add gru",
          "=conv2d batch_norm",
          "=depthwise_conv2d batch_norm",
          "=conv2d_transpose batch_norm",
          "=conv2d =~elementwise_add ^batch_norm",
          "=depthwise_conv2d =~elementwise_add ^batch_norm",
          "=conv2d_transpose =~elementwise_add ^batch_norm",
          "~mul elementwise_add#",
          "~matmul elementwise_add#",
          "~matmul_v2 elementwise_add#",
          "~mul ~elementwise_add# relu",
          "~matmul ~elementwise_add# relu",
          "~matmul_v2 ~elementwise_add# relu",
          "=~matmul ^scale",
          "=~matmul_v2 ^scale",
          "=matmul ^dropout",
          "=matmul_v2 ^dropout",
          "=matmul_v2 scale ^scale",
          "=matmul_v2 scale ^dropout",
          "matmul scale elementwise_add#",
          "matmul_v2 scale elementwise_add#",
          "matmul scale elementwise_add# relu",
          "matmul_v2 scale elementwise_add# relu",
          "matmul scale square elementwise_sub elementwise_mul",
          "matmul_v2 scale square elementwise_sub elementwise_mul",
          "square matmul scale elementwise_sub elementwise_mul",
          "square matmul_v2 scale elementwise_sub elementwise_mul",
          "=conv2d ~batch_norm ^batch_norm",
          "=depthwise_conv2d ~batch_norm ^batch_norm",
          "=conv2d_transpose ~batch_norm ^batch_norm",
          "squeeze2 matmul",
          "reshape2 matmul",
          "flatten2 matmul",
          "~sequence_conv ~elementwise_add relu",
          "~sequence_pool ~cvm concat",
          "~sequence_expand ~concat ~mul ~elementwise_add relu",
          "~sequence_expand ~concat ~mul ~elementwise_add tanh",
          "~sequence_expand ~concat ~mul ~elementwise_add sigmoid",
          "~sequence_expand ~concat ~mul ~elementwise_add identity",
          "~matmul square ~elementwise_sub elementwise_mul",
          "~matmul_v2 square ~elementwise_sub elementwise_mul",
          "square ~matmul ~elementwise_sub elementwise_mul",
          "square ~matmul_v2 ~elementwise_sub elementwise_mul",
          "~reduce_mean ~elementwise_sub ~elementwise_pow ~reduce_mean ~elementwise_add ~sqrt"
              + " ~elementwise_div ~elementwise_mul elementwise_add");

  /** The slots that an operator writes in its own place or, after a pass, not at all. */
  private static final ImmutableListMultimap<String, String> NEVER_LATE =
      ImmutableListMultimap.<String, String>builder()
          .putAll("lstm", "BatchCellPreAct", "BatchGate")
          .putAll("gru", "BatchGate", "BatchHidden", "BatchResetHiddenPrev")
          .build();

  /** The paths by the type of their first operator. */
  private static final ImmutableListMultimap<String, ImmutableList<PathStep>> PATHS = parse();

  /** The names by which one pass recognizes the only model that it is for. */
  private static final ImmutableList<String> ATTENTION_LSTM =
      ImmutableList.of("data", "week", "minute", "data_lod_attention", "cell_init", "hidden_init");

  /** One operator of a path. */
  private record PathStep(
      String type, boolean stays, boolean vanishes, boolean isEarly, boolean needsWeight) {

    static PathStep of(String text) {
      return new PathStep(
          text.replaceAll("[=~^#]", ""),
          text.contains("="),
          text.contains("~"),
          text.contains("^"),
          text.contains("#"));
    }
  }

  private final Program program;
  private final List<Operation> operations;
  private final List<List<Integer>> readers = new ArrayList<>();

  /** The operators that read a result directly or through dropouts; none for a dropout itself. */
  private final List<List<Integer>> farReaders = new ArrayList<>();

  private final int[][] sources;

  /** The operators that a pass may remove or replace. */
  final BitSet moves = new BitSet();

  /** The operators whose results only one path reads, so that they disappear with it. */
  final BitSet vanishes = new BitSet();

  /** The operator at whose place each operator's results may be written. */
  final int[] writesAt;

  private final BitSet forgetsOthers = new BitSet();

  /** The operators for which a pass reads the rank of X from its declaration. */
  final BitSet rankReaders = new BitSet();

  /** The operators for which a pass reads all extents of X, and of Y if there is one. */
  final BitSet shapeReaders = new BitSet();

  private PassPaths(Program program) {
    this.program = program;
    this.operations = program.block(0).operations();
    this.sources = new int[operations.size()][];
    this.writesAt = new int[operations.size()];
  }

  /** Follows all paths. O(arguments × paths). */
  static PassPaths of(Program program) {
    PassPaths paths = new PassPaths(program);
    paths.link();
    Deque<Integer> path = new ArrayDeque<>();
    for (int op = 0; op < paths.operations.size(); op++) {
      for (ImmutableList<PathStep> steps : PATHS.get(paths.operations.get(op).type())) {
        paths.follow(steps, op, path);
      }
    }
    return paths;
  }

  /** Whether one pass may take a program for the only model that it is for. */
  static boolean isForOneModel(Program program) {
    return ATTENTION_LSTM.stream().allMatch(name -> program.declared(0, name) >= 0);
  }

  private static ImmutableListMultimap<String, ImmutableList<PathStep>> parse() {
    ImmutableListMultimap.Builder<String, ImmutableList<PathStep>> paths =
        ImmutableListMultimap.builder();
    for (String text : TEXTS) {
      ImmutableList<PathStep> steps =
          Splitter.on(' ').splitToStream(text).map(PathStep::of).collect(toImmutableList());
      paths.put(steps.get(0).type(), steps);
    }
    return paths.build();
  }

  private void link() {
    int[] writer = new int[program.variableCount()];
    int[] beforeDropouts = new int[operations.size()];
    Arrays.fill(writer, -1);
    for (int op = 0; op < operations.size(); op++) {
      Operation operation = operations.get(op);
      readers.add(new ArrayList<>());
      farReaders.add(new ArrayList<>());
      writesAt[op] = op;
      sources[op] = new int[operation.inputCount()];
      for (int i = 0; i < operation.inputCount(); i++) {
        int source = operation.input(i) < 0 ? -1 : writer[operation.input(i)];
        sources[op][i] = source;
        addReader(readers, source, op);
        addReader(farReaders, source < 0 ? -1 : beforeDropouts[source], op);
      }
      int x = operation.firstInput("X");
      int source = x < 0 ? -1 : sources[op][x];
      beforeDropouts[op] = !isDropout(op) ? op : source < 0 ? -1 : beforeDropouts[source];
      for (int i = 0; i < operation.outputCount(); i++) {
        if (operation.output(i) >= 0) {
          writer[operation.output(i)] = op;
        }
      }
    }
  }

  private static void addReader(List<List<Integer>> readers, int source, int reader) {
    if (source < 0) {
      return;
    }
    List<Integer> known = readers.get(source);
    if (known.isEmpty() || known.get(known.size() - 1) != reader) {
      known.add(reader);
    }
  }

  private void follow(List<PathStep> steps, int op, Deque<Integer> path) {
    PathStep step = steps.get(path.size());
    if (!operations.get(op).type().equals(step.type())
        || (step.needsWeight() && !isWeight(op, "Y"))) {
      return;
    }
    path.addLast(op);
    if (path.size() == steps.size()) {
      mark(steps, new ArrayList<>(path));
    } else {
      for (int reader : farReaders.get(op)) {
        follow(steps, reader, path);
      }
    }
    path.removeLast();
  }

  boolean isDropout(int op) {
    return op >= 0 && operations.get(op).type().equals("dropout");
  }

  private void mark(List<PathStep> steps, List<Integer> path) {
    for (int i = 0; i < path.size(); i++) {
      int op = path.get(i);
      moves.set(op, moves.get(op) || !steps.get(i).stays());
      if (steps.get(i).vanishes() && path.containsAll(readers.get(op))) {
        vanishes.set(op);
      }
      if (steps.get(i).isEarly()) {
        writesAt[op] = writesAt[path.get(i - 1)];
      }
    }
    int first = path.get(0);
    String firstType = steps.get(0).type();
    String lastType = steps.get(steps.size() - 1).type();
    if (firstType.equals("sequence_expand")) {
      forgetsOthers.set(first);
    }
    boolean isView = steps.size() == 2 && lastType.equals("matmul");
    if (isView) {
      rankReaders.set(path.get(1));
    }
    if (isView || firstType.equals("reduce_mean")) {
      shapeReaders.set(first);
    }
    if (lastType.equals("relu") && firstType.contains("mul")) {
      rankReaders.set(first);
    }
    if (steps.size() == 1 && !firstType.equals("dropout")) {
      (isWeight(first, "Y") ? rankReaders : shapeReaders).set(first);
    }
  }

  private boolean isWeight(int op, String slot) {
    int argument = operations.get(op).firstInput(slot);
    int variable = argument < 0 ? Program.NO_VARIABLE : operations.get(op).input(argument);
    return variable != Program.NO_VARIABLE && program.variable(variable).isPersistable();
  }

  /**
   * Returns, for each operator, an operator before which it surely runs. If a pass may move the
   * operator, this is the first operator in a fixed place that needs its result, or the number of
   * operators if none does. Otherwise it is the operator itself.
   */
  int[] before() {
    int[] before = new int[operations.size()];
    for (int op = operations.size() - 1; op >= 0; op--) {
      before[op] = moves.get(op) ? operations.size() : op;
      for (int reader : moves.get(op) ? readers.get(op) : List.<Integer>of()) {
        if (!forgetsOthers.get(reader) || isX(op, reader)) {
          before[op] = Math.min(before[op], before[reader]);
        }
      }
    }
    return before;
  }

  private boolean isX(int op, int reader) {
    int x = operations.get(reader).firstInput("X");
    return x >= 0 && sources[reader][x] == op;
  }

  /** The operator that wrote an argument; -1 if none of the block did. */
  int source(int op, int argument) {
    return sources[op][argument];
  }

  /** Whether an argument comes from an operator whose results disappear with its reader. */
  boolean isVanishing(int op, int argument) {
    return sources[op][argument] >= 0 && vanishes.get(sources[op][argument]);
  }

  List<Integer> readers(int op) {
    return readers.get(op);
  }

  /** Whether the write of an output moves with its operator, if the operator moves. */
  boolean writesLate(int op, int output) {
    Operation operation = operations.get(op);
    boolean isLate = !isRead(op, operation.output(output));
    for (String slot : NEVER_LATE.get(operation.type())) {
      isLate &= operation.firstOutput(slot) != output;
    }
    return isLate;
  }

  /** Whether an operator of the block reads what an operator writes to a variable. */
  private boolean isRead(int op, int variable) {
    for (int reader : readers.get(op)) {
      for (int i = 0; i < sources[reader].length; i++) {
        if (sources[reader][i] == op && operations.get(reader).input(i) == variable) {
          return true;
        }
      }
    }
    return false;
  }
}
