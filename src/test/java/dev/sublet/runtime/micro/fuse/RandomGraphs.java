package dev.sublet.runtime.micro.fuse;

import static dev.sublet.runtime.tensor.ElementType.BOOL;
import static dev.sublet.runtime.tensor.ElementType.FLOAT32;
import static dev.sublet.runtime.tensor.ElementType.FLOAT64;
import static dev.sublet.runtime.tensor.ElementType.INT32;
import static dev.sublet.runtime.tensor.ElementType.INT64;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.Arithmetic;
import dev.sublet.runtime.micro.ir.IndexExpression.AxisSize;
import dev.sublet.runtime.micro.ir.IndexExpression.Constant;
import dev.sublet.runtime.micro.ir.IndexExpression.LoopIndex;
import dev.sublet.runtime.micro.ir.IndexExpression.Negation;
import dev.sublet.runtime.micro.ir.IndexExpression.Operator;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.micro.op.MicroGraph;
import dev.sublet.runtime.micro.op.MicroGraphBuilder;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.micro.op.Reduction;
import dev.sublet.runtime.tensor.ElementType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Random graphs of all micro ops: broadcasts, shifts, reversals and indices out of bounds,
 * reductions of some or all axes, selects, diamonds, several outputs.
 *
 * <p>Every axis has a label: of an extent that the run decides ({@link RandomRuns}), or of the
 * extent 1. Tensors meet only if their labels are equal, so that requirements hold.
 */
final class RandomGraphs {

  /** The types that are computed with. */
  private static final ElementType[] COMPUTED =
      ElementType.ofMicroPrograms().stream()
          .filter(type -> !type.isNarrow())
          .toArray(ElementType[]::new);

  /** The label of extent 1. */
  static final int ONE = -1;

  /** Labels of extents. */
  static final int LABELS = 3;

  private final Random random;
  private final MicroGraphBuilder g = new MicroGraphBuilder("random");
  private final List<MicroValue> values = new ArrayList<>();
  private final List<int[]> labels = new ArrayList<>();

  /** For each label the axes of inputs that have it. */
  private final List<List<AxisSize>> spellings = new ArrayList<>();

  private RandomGraphs(Random random) {
    this.random = random;
  }

  /** A graph of some ops; input x1 is named {@code x1_02_float32} after its labels and type. */
  static MicroGraph graph(Random random, int ops) {
    RandomGraphs graphs = new RandomGraphs(random);
    graphs.inputs();
    for (int op = 0; op < ops; op++) {
      graphs.op();
    }
    graphs.outputs();
    return graphs.g.build();
  }

  private void inputs() {
    for (int label = 0; label < LABELS; label++) {
      spellings.add(new ArrayList<>());
    }
    g.indexParameter("p");
    g.parameter("s", FLOAT32);
    input(FLOAT32, 0, 1, 2);
    int more = 1 + random.nextInt(3);
    for (int i = 0; i < more; i++) {
      int[] axes = new int[random.nextInt(4)];
      for (int axis = 0; axis < axes.length; axis++) {
        axes[axis] = random.nextInt(LABELS);
      }
      input(pick(FLOAT32, FLOAT32, FLOAT64, INT32, INT64), axes);
    }
  }

  private void input(ElementType type, int... axes) {
    StringBuilder name = new StringBuilder("x" + values.size() + "_");
    for (int label : axes) {
      name.append(label);
    }
    name.append('_').append(type);
    for (int axis = 0; axis < axes.length; axis++) {
      spellings.get(axes[axis]).add(new AxisSize(name.toString(), axis));
    }
    keep(g.input(name.toString(), type, axes.length), axes);
  }

  private void keep(MicroValue value, int... axes) {
    values.add(value);
    labels.add(axes);
  }

  @SafeVarargs
  private <T> T pick(T... options) {
    return options[random.nextInt(options.length)];
  }

  /** A value, rather a recent one. */
  private int any() {
    int back = Math.min(random.nextInt(values.size()), random.nextInt(values.size()));
    return values.size() - 1 - back;
  }

  private void op() {
    int x = any();
    switch (random.nextInt(11)) {
      case 0, 1 -> unary(x);
      case 2, 3, 4 -> binary(x);
      case 5 -> keep(g.cast(pick(COMPUTED), narrowed(values.get(x))), labels.get(x));
      case 6, 7 -> reduce(x);
      case 8 -> reindex(x);
      case 9 -> broadcast(x);
      default -> rare(x);
    }
  }

  private void rare(int x) {
    switch (random.nextInt(3)) {
      case 0 -> select(x);
      case 1 -> {
        int[] axes = randomLabels(1 + random.nextInt(3));
        keep(g.position(shape(axes), index(axes.length, random.nextInt(LABELS), axes)), axes);
      }
      default -> choose(x);
    }
  }

  /** Perhaps taken to 8 bits, which nothing but casts can compute with. */
  private MicroValue narrowed(MicroValue x) {
    return random.nextInt(3) == 0 ? g.cast(pick(ElementType.UINT8, ElementType.INT8), x) : x;
  }

  private void unary(int x) {
    ElementType type = g.type(values.get(x));
    UnaryOperator operator =
        switch (type) {
          case BOOL -> UnaryOperator.NOT;
          case INT32, INT64 ->
              pick(UnaryOperator.NEGATE, UnaryOperator.ABSOLUTE, UnaryOperator.SIGN);
          default ->
              pick(
                  UnaryOperator.NEGATE,
                  UnaryOperator.EXP,
                  UnaryOperator.TANH,
                  UnaryOperator.SQRT,
                  UnaryOperator.FLOOR,
                  UnaryOperator.SIGMOID);
        };
    keep(g.unary(operator, values.get(x)), labels.get(x));
  }

  /** Another value that fits x, or x itself, or a scalar. */
  private MicroValue partner(int x) {
    ElementType type = g.type(values.get(x));
    for (int tries = 0; tries < 6; tries++) {
      int y = any();
      if (Arrays.equals(labels.get(x), labels.get(y))) {
        return g.type(values.get(y)) == type ? values.get(y) : g.cast(type, values.get(y));
      }
    }
    double number = type == BOOL ? random.nextInt(2) : random.nextInt(5) - 1.0;
    return random.nextBoolean() ? values.get(x) : g.scalar(type, number);
  }

  private void binary(int x) {
    ElementType type = g.type(values.get(x));
    BinaryOperator operator =
        type == BOOL
            ? pick(BinaryOperator.AND, BinaryOperator.OR, BinaryOperator.XOR, BinaryOperator.EQUAL)
            : pick(
                BinaryOperator.ADD,
                BinaryOperator.SUBTRACT,
                BinaryOperator.MULTIPLY,
                BinaryOperator.MULTIPLY,
                BinaryOperator.DIVIDE,
                BinaryOperator.MAXIMUM,
                BinaryOperator.LESS,
                BinaryOperator.MODULO);
    keep(g.binary(operator, values.get(x), partner(x)), labels.get(x));
  }

  private void choose(int x) {
    MicroValue condition =
        g.type(values.get(x)) == BOOL
            ? values.get(x)
            : g.binary(BinaryOperator.LESS, values.get(x), partner(x));
    keep(g.choose(condition, values.get(x), partner(x)), labels.get(x));
  }

  private void reduce(int x) {
    int rank = labels.get(x).length;
    if (rank == 0) {
      return;
    }
    List<Integer> axes = new ArrayList<>();
    int[] left = labels.get(x).clone();
    for (int axis = 0; axis < rank; axis++) {
      if (random.nextInt(3) > 0) {
        axes.add(axis);
        left[axis] = ONE;
      }
    }
    if (axes.isEmpty()) {
      return;
    }
    Reduction reduction =
        g.type(values.get(x)) == BOOL
            ? Reduction.MAXIMUM
            : pick(
                Reduction.SUM,
                Reduction.SUM,
                Reduction.MEAN,
                Reduction.MAXIMUM,
                Reduction.ARGMAX,
                Reduction.PRODUCT);
    int[] reduced = axes.stream().mapToInt(Integer::intValue).toArray();
    if (random.nextInt(4) == 0) {
      // In order and reversed, what reduces does not see the difference.
      reduced = axes.stream().mapToInt(a -> axes.get(axes.size() - 1 - axes.indexOf(a))).toArray();
    }
    keep(g.reduce(reduction, values.get(x), reduced), left);
  }

  /** Axes are permuted, left away, repeated and shifted. */
  private void reindex(int x) {
    int[] axes = randomLabels(random.nextInt(4));
    ImmutableList.Builder<IndexExpression> at = ImmutableList.builder();
    for (int label : labels.get(x)) {
      at.add(index(axes.length, label, axes));
    }
    keep(g.reindex(values.get(x), shape(axes), at.build(), pick(0.0, 0.0, 1.5, -0.0)), axes);
  }

  /** New axes, and those of extent 1 become others: what NNC's descriptions do all the time. */
  private void broadcast(int x) {
    int[] old = labels.get(x);
    List<Integer> axes = new ArrayList<>();
    ImmutableList.Builder<IndexExpression> at = ImmutableList.builder();
    for (int label : old) {
      if (label == ONE) {
        at.add(new Constant(0));
        if (random.nextBoolean()) {
          axes.add(random.nextInt(LABELS));
        }
      } else {
        at.add(new LoopIndex(axes.size()));
        axes.add(label);
      }
    }
    while (axes.size() < 4 && random.nextInt(3) > 0) {
      axes.add(random.nextInt(LABELS));
    }
    int[] now = axes.stream().mapToInt(Integer::intValue).toArray();
    keep(g.reindex(values.get(x), shape(now), at.build()), now);
  }

  private void select(int x) {
    int[] own = labels.get(x);
    if (own.length == 0) {
      return;
    }
    int axis = random.nextInt(own.length);
    int[] axes = own.clone();
    axes[axis] = random.nextInt(LABELS);
    MicroValue index = null;
    for (int y = values.size() - 1; y >= 0 && index == null; y--) {
      ElementType type = g.type(values.get(y));
      if (Arrays.equals(labels.get(y), axes) && (type == INT32 || type == INT64)) {
        index = values.get(y);
      }
    }
    if (index == null) {
      index = g.position(shape(axes), index(axes.length, own[axis], axes));
      if (random.nextBoolean()) {
        index = g.cast(INT32, index);
      }
    }
    keep(g.select(axis, values.get(x), index), axes);
  }

  private int[] randomLabels(int rank) {
    int[] axes = new int[rank];
    for (int axis = 0; axis < rank; axis++) {
      axes[axis] = random.nextInt(8) == 0 ? ONE : random.nextInt(LABELS);
    }
    return axes;
  }

  private IndexExpression extent(int label) {
    if (label == ONE) {
      return new Constant(1);
    }
    List<AxisSize> spelled = spellings.get(label);
    return spelled.get(random.nextInt(spelled.size()));
  }

  private ImmutableList<IndexExpression> shape(int... axes) {
    ImmutableList.Builder<IndexExpression> shape = ImmutableList.builder();
    for (int label : axes) {
      shape.add(extent(label));
    }
    return shape.build();
  }

  /** An index for an axis of a label, rather the loop over the same label. */
  private IndexExpression index(int loops, int label, int... axes) {
    if (loops == 0) {
      return new Constant(random.nextInt(2));
    }
    IndexExpression loop = new LoopIndex(random.nextInt(loops));
    for (int axis = 0; axis < loops; axis++) {
      if (axes[axis] == label && random.nextInt(3) > 0) {
        loop = new LoopIndex(axis);
      }
    }
    IndexExpression other = new LoopIndex(random.nextInt(loops));
    return switch (random.nextInt(12)) {
      case 0 -> new Arithmetic(Operator.ADD, loop, new Constant(random.nextInt(3) - 1));
      case 1 ->
          new Arithmetic(
              Operator.SUBTRACT,
              new Arithmetic(Operator.SUBTRACT, extent(label), new Constant(1)),
              loop);
      case 2 -> new Arithmetic(Operator.ADD, new Negation(loop), new Constant(2));
      case 3 -> new Constant(random.nextInt(3) - 1);
      case 4 -> new Arithmetic(Operator.DIVIDE, loop, new Constant(2));
      case 5 ->
          pick(
              new Arithmetic(Operator.ADD, loop, other),
              new Arithmetic(Operator.MULTIPLY, loop, new Constant(2)),
              new Arithmetic(Operator.ADD, loop, new IndexExpression.Parameter("p")));
      default -> loop;
    };
  }

  private void outputs() {
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      int value = i == 0 ? values.size() - 1 : any();
      g.output("out" + i, values.get(value));
    }
  }
}
