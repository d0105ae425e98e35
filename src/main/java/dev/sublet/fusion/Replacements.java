package dev.sublet.fusion;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSetMultimap;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.TensorType;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The operators of the first block that a pass may replace, found by the paths of its pattern: from
 * the last operator along the producers of its arguments.
 *
 * <pre>
 *   m = mul(x, w); s = elementwise_add(m, b); r = relu(s)     all three may become r = fc(x, w, b)
 * </pre>
 *
 * <p>A path leads through dropouts, because the first pass removes them. Attributes that a pass
 * checks as well, and further operators of its pattern, are left out: more operators then count as
 * replaceable, which costs bytes and is safe.
 */
final class Replacements {

  private static final String CONVOLUTION = "conv2d|depthwise_conv2d|conv2d_transpose";
  private static final String PRODUCT = "mul|matmul|matmul_v2";
  private static final ImmutableSet<String> VIEWS =
      ImmutableSet.of("squeeze2", "reshape2", "flatten2");

  /**
   * The outputs that no operator writes after the replacement, by operator type. Paddle 2.3.2 saves
   * programs after its passes: {@code fusion_gru} and {@code fusion_lstm} write none of these
   * names.
   */
  private static final ImmutableSetMultimap<String, String> LOST_OUTPUTS =
      ImmutableSetMultimap.<String, String>builder()
          .putAll("gru", "BatchGate", "BatchResetHiddenPrev", "BatchHidden")
          .putAll("lstm", "BatchGate", "BatchCellPreAct")
          .build();

  /** By pass of Paddle 2.3, in its order. */
  private static final ImmutableList<Pattern> PATTERNS =
      ImmutableList.of(
          // simplify_with_basic_ops
          Pattern.of("dropout"),
          // layer_norm_fuse
          Pattern.of(
                  "reduce_mean elementwise_sub elementwise_pow reduce_mean elementwise_add sqrt"
                      + " elementwise_div elementwise_mul elementwise_add",
                  0,
                  1,
                  2,
                  3,
                  4,
                  5,
                  6,
                  7)
              .readingFirst(),
          // seqconv_eltadd_relu_fuse
          Pattern.of("sequence_conv elementwise_add relu", 0, 1),
          // seqpool_cvm_concat_fuse
          Pattern.of("sequence_pool cvm concat", 0, 1),
          // mul_lstm_fuse: the new operator still writes what mul has written
          Pattern.of("mul lstm"),
          // mul_gru_fuse, fc_gru_fuse
          Pattern.of("mul gru", 0),
          Pattern.of("mul elementwise_add gru", 0, 1),
          // seq_concat_fc_fuse
          Pattern.of(
              "sequence_expand concat mul elementwise_add relu|tanh|sigmoid|identity", 0, 1, 2, 3),
          // gpu_cpu_{squeeze2,reshape2,flatten2}_matmul_fuse
          Pattern.of("squeeze2|reshape2|flatten2 matmul").readingFirst(),
          // matmul_v2_scale_fuse, matmul_scale_fuse
          Pattern.of("matmul|matmul_v2 scale", 0).keeping(1).early(),
          // … after simplify_with_basic_ops has put a scale in the place of a dropout
          Pattern.of("matmul|matmul_v2 dropout").keeping(1).early(),
          // … and the matmul that a matmul_v2 has become takes another scale
          Pattern.of("matmul_v2 scale scale|dropout").keeping(1).early(),
          // gpu_cpu_map_matmul_v2_to_{mul,matmul}, gpu_cpu_map_matmul_to_mul
          Pattern.of("matmul_v2"),
          Pattern.of("matmul").withWeightAt(0),
          // fc_fuse, repeated_fc_relu_fuse
          Pattern.of(PRODUCT + " elementwise_add", 0).withWeightAt(1),
          Pattern.of(PRODUCT + " elementwise_add relu", 0, 1).withWeightAt(1).readingFirst(),
          // … after the product has taken a scale
          Pattern.of("matmul|matmul_v2 scale elementwise_add").withWeightAt(2),
          Pattern.of("matmul|matmul_v2 scale elementwise_add relu").withWeightAt(2).readingFirst(),
          // squared_mat_sub_fuse: the new operator still writes the squares
          Pattern.of("matmul|matmul_v2 square elementwise_sub elementwise_mul", 0, 2),
          Pattern.of("square matmul|matmul_v2 elementwise_sub elementwise_mul", 1, 2),
          Pattern.of("matmul|matmul_v2 scale square elementwise_sub elementwise_mul"),
          Pattern.of("square matmul|matmul_v2 scale elementwise_sub elementwise_mul"),
          // conv_bn_fuse, conv_transpose_bn_fuse, and both with elementwise_add
          Pattern.of(CONVOLUTION + " batch_norm").keeping(1),
          Pattern.of(CONVOLUTION + " elementwise_add batch_norm", 1).keeping(2).early(),
          // conv_bn_fuse makes an elementwise_add of the first batch_norm
          Pattern.of(CONVOLUTION + " batch_norm batch_norm", 1).keeping(1).early());

  /** The paths by the type of their last operator, in the same order. */
  private static final ImmutableListMultimap<String, Pattern> BY_LAST_TYPE = byLastType();

  private static final int LONGEST = 9;

  private final Program program;
  private final EntryBlock block;
  private final BitSet replaceable = new BitSet();
  private final BitSet inner = new BitSet();
  private final BitSet afterFirst = new BitSet();
  private final int[] earliest;
  private final Map<Integer, List<ShapeDemand>> demands = new HashMap<>();

  /** The removable operators whose X has its demand, so that a chain of them is walked once. */
  private final BitSet rankDemanded = new BitSet();

  private final BitSet allDemanded = new BitSet();

  private Replacements(Program program, EntryBlock block) {
    this.program = program;
    this.block = block;
    this.earliest = new int[block.size()];
  }

  /** Finds the replaceable operators. O(arguments), but for operators that read many alike. */
  static Replacements find(Program program, EntryBlock block) {
    Replacements found = new Replacements(program, block);
    int[] path = new int[LONGEST];
    for (int op = 0; op < block.size(); op++) {
      found.earliest[op] = op;
      for (Pattern pattern : BY_LAST_TYPE.get(block.type(op))) {
        found.match(pattern, pattern.length() - 1, op, path);
      }
      found.addDemands(op);
    }
    return found;
  }

  private static ImmutableListMultimap<String, Pattern> byLastType() {
    ImmutableListMultimap.Builder<String, Pattern> patterns = ImmutableListMultimap.builder();
    for (Pattern pattern : PATTERNS) {
      for (String type : pattern.types().get(pattern.length() - 1)) {
        patterns.put(type, pattern);
      }
    }
    return patterns.build();
  }

  /** Whether a pass may remove the operator, or put another one in its place. */
  boolean isReplaceable(int op) {
    return replaceable.get(op);
  }

  /**
   * Whether a replacement of the operator does not write an output. Without replacement, the
   * operator writes it in its own place.
   */
  boolean losesOutput(int op, int output) {
    Operation operation = block.operation(op);
    for (String slot : LOST_OUTPUTS.get(operation.type())) {
      if (operation.firstOutput(slot) == output) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether only operators of one pattern read the operator's results. If the pattern is replaced,
   * these results disappear; if not, their readers stay where they are.
   */
  boolean isInner(int op) {
    return inner.get(op);
  }

  /**
   * The operator at whose place the operator's results may be written: an earlier one, or itself.
   */
  int earliest(int op) {
    return earliest[op];
  }

  /** Whether a pass forgets all producers of the operator but that of {@code X}. */
  boolean isOnlyAfterX(int op) {
    return afterFirst.get(op);
  }

  /** The declared shapes that passes read, by variable. */
  Map<Integer, List<ShapeDemand>> demands() {
    return demands;
  }

  /** Extends a path backwards by an operator, and further along its producers. */
  private void match(Pattern pattern, int place, int op, int[] path) {
    if (op == EntryBlock.NONE
        || !pattern.types().get(place).contains(block.type(op))
        || (pattern.weightAt() == place && !block.isWeight(op, "Y"))) {
      return;
    }
    path[place] = op;
    if (place == 0) {
      add(pattern, path);
      return;
    }
    for (int i = 0; i < block.operation(op).inputCount(); i++) {
      match(pattern, place - 1, block.origin(block.producer(op, i)), path);
    }
  }

  private void add(Pattern pattern, int[] path) {
    int last = pattern.length() - 1;
    for (int place = pattern.kept(); place <= last; place++) {
      replaceable.set(path[place]);
    }
    if (pattern.isEarly()) {
      earliest[path[last]] = earliest[path[last - 1]];
    }
    for (int place : pattern.inner()) {
      if (areIn(path, pattern.length(), block.readers(path[place]))) {
        inner.set(path[place]);
      }
    }
    if (block.type(path[0]).equals("sequence_expand")) {
      afterFirst.set(path[0]);
    }
    if (VIEWS.contains(block.type(path[0]))) {
      demand(path[1], "X", /* isRankEnough= */ true);
    }
    if (pattern.readsFirst()) {
      demand(path[0], "X", /* isRankEnough= */ block.type(path[last]).equals("relu"));
    }
  }

  private static boolean areIn(int[] path, int length, List<Integer> readers) {
    for (int reader : readers) {
      boolean isIn = false;
      for (int place = 0; place < length; place++) {
        isIn |= path[place] == reader;
      }
      if (!isIn) {
        return false;
      }
    }
    return true;
  }

  /** Demands the declared shape of an argument, and of the values that removals put there. */
  private void demand(int op, String slot, boolean isRankEnough) {
    demand(block.input(op, slot), isRankEnough);
    BitSet done = isRankEnough ? rankDemanded : allDemanded;
    int producer = block.producer(op, slot);
    while (block.isRemovable(producer) && !done.get(producer)) {
      done.set(producer);
      demand(block.input(producer, "X"), isRankEnough);
      producer = block.producer(producer, "X");
    }
  }

  private void demand(int variable, boolean isRankEnough) {
    if (variable != Program.NO_VARIABLE && program.variable(variable).tensorType().isPresent()) {
      TensorType type = program.variable(variable).tensorType().get();
      demands
          .computeIfAbsent(variable, v -> new ArrayList<>())
          .add(isRankEnough ? ShapeDemand.rankOf(type) : ShapeDemand.allOf(type));
    }
  }

  /** Adds the declared shapes that the passes for products read. */
  private void addDemands(int op) {
    switch (block.type(op)) {
      case "matmul_v2" -> {
        boolean byWeight = block.isWeight(op, "Y");
        demand(op, "X", byWeight);
        if (!byWeight) {
          demand(op, "Y", /* isRankEnough= */ false);
        }
      }
      case "matmul" -> {
        if (block.isWeight(op, "Y")) {
          demand(op, "X", /* isRankEnough= */ true);
        }
      }
      default -> {}
    }
  }
}
