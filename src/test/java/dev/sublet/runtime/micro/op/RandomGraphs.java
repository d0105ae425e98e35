package dev.sublet.runtime.micro.op;

import static dev.sublet.runtime.tensor.ElementType.FLOAT64;
import static dev.sublet.runtime.tensor.ElementType.INT64;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Random graphs of FLOAT64 values with inputs for them: fan-out, diamonds, several outputs,
 * broadcasts, reductions over some or all axes, overlapping windows, indices out of bounds. Values
 * stay small and, the inputs being random, off the points where operators jump or bend: what equals
 * something else is the same function of the inputs.
 */
final class RandomGraphs {

  private static final UnaryOperator[] SMOOTH = {
    UnaryOperator.NEGATE, UnaryOperator.TANH, UnaryOperator.SIN, UnaryOperator.COS,
    UnaryOperator.SIGMOID, UnaryOperator.ERF, UnaryOperator.ATAN, UnaryOperator.ABSOLUTE
  };

  private static final Reduction[] REDUCTIONS = {
    Reduction.SUM, Reduction.MEAN, Reduction.PRODUCT, Reduction.SUM
  };

  /** A graph and tensors for its inputs. */
  record RandomGraph(MicroGraph graph, ImmutableMap<String, Tensor> inputs) {}

  /** A value of the graph and its extents in this run. */
  private static final class Value {

    private final MicroValue value;
    private final long[] shape;

    Value(MicroValue value, long[] shape) {
      this.value = value;
      this.shape = shape;
    }

    MicroValue value() {
      return value;
    }

    long[] shape() {
      return shape;
    }
  }

  private final Random random;
  private final MicroGraphBuilder g;
  private final List<Value> values = new ArrayList<>();
  private final ImmutableMap.Builder<String, Tensor> inputs = ImmutableMap.builder();
  private int selections;

  private RandomGraphs(int seed) {
    this.random = new Random(seed);
    this.g = new MicroGraphBuilder("random" + seed);
  }

  /** The graph of a seed with about so many ops. */
  static RandomGraph of(int seed, int ops) {
    return new RandomGraphs(seed).build(ops);
  }

  private RandomGraph build(int ops) {
    int inputCount = 1 + random.nextInt(3);
    for (int i = 0; i < inputCount; i++) {
      long[] shape = new long[random.nextInt(4)];
      for (int axis = 0; axis < shape.length; axis++) {
        shape[axis] = 1L + random.nextInt(3);
      }
      String name = "x" + i;
      inputs.put(name, FiniteDifferences.random(random, ImmutableLongArray.copyOf(shape), -1, 1));
      values.add(new Value(g.input(name, FLOAT64, shape.length), shape));
    }
    for (int i = 0; i < ops; i++) {
      add();
    }
    g.output("last", values.get(values.size() - 1).value());
    int more = random.nextInt(3);
    for (int i = 0; i < more; i++) {
      g.output("output" + i, any().value());
    }
    return new RandomGraph(g.build(), inputs.buildOrThrow());
  }

  private void add() {
    Value x = any();
    switch (random.nextInt(8)) {
      case 0 -> add(g.unary(SMOOTH[random.nextInt(SMOOTH.length)], x.value()), x.shape());
      case 1, 2 -> addBinary(x, random.nextInt(8));
      case 3 -> addWindow(x);
      case 4 -> addReordered(x);
      case 5 -> addReduction(x);
      case 6 -> addSelection(x);
      default -> addChoice(x);
    }
  }

  /** A later value more often than an earlier one. */
  private Value any() {
    int index = Math.max(random.nextInt(values.size()), random.nextInt(values.size()));
    return values.get(index);
  }

  private void add(MicroValue value, long... shape) {
    values.add(new Value(value, shape));
  }

  private void addBinary(Value x, int kind) {
    Value y = partner(x);
    long[] shape = x.shape().length == 0 ? y.shape() : x.shape();
    MicroValue one = g.scalar(FLOAT64, 1.5);
    MicroValue result =
        switch (kind) {
          case 0 -> g.binary(BinaryOperator.ADD, x.value(), y.value());
          case 1 -> g.binary(BinaryOperator.SUBTRACT, x.value(), y.value());
          case 2 -> g.binary(BinaryOperator.MAXIMUM, x.value(), y.value());
          case 3 -> g.binary(BinaryOperator.MINIMUM, x.value(), y.value());
          case 4 -> {
            MicroValue square = g.binary(BinaryOperator.MULTIPLY, y.value(), y.value());
            MicroValue positive = g.binary(BinaryOperator.ADD, one, square);
            yield g.binary(BinaryOperator.DIVIDE, x.value(), positive);
          }
          case 5 -> {
            MicroValue base = g.unary(UnaryOperator.SIGMOID, x.value());
            yield g.binary(BinaryOperator.POWER, base, g.unary(UnaryOperator.TANH, y.value()));
          }
          default -> g.binary(BinaryOperator.MULTIPLY, x.value(), y.value());
        };
    add(result, shape);
  }

  /** A value of the same shape or without axes, or one that is repeated to it. */
  private Value partner(Value x) {
    for (int attempt = 0; attempt < 4; attempt++) {
      Value y = any();
      if (y.shape().length == 0 || Arrays.equals(y.shape(), x.shape())) {
        return y;
      }
    }
    Value y = any();
    if (x.shape().length == 0) {
      return y;
    }
    ImmutableList.Builder<IndexExpression> at = ImmutableList.builder();
    for (int axis = 0; axis < y.shape().length; axis++) {
      int from = random.nextInt(x.shape().length + 1);
      at.add(
          from < x.shape().length
              ? new IndexExpression.LoopIndex(from)
              : new IndexExpression.Constant(0));
    }
    return new Value(g.reindex(y.value(), g.shape(x.value()), at.build()), x.shape());
  }

  /** Windows over one axis: a new axis, overlapping, with stride and borders. */
  private void addWindow(Value x) {
    if (x.shape().length == 0 || x.shape().length > 3) {
      return;
    }
    int axis = random.nextInt(x.shape().length);
    int last = x.shape().length;
    int stride = 1 + random.nextInt(2);
    long[] shape = Arrays.copyOf(x.shape(), last + 1);
    shape[last] = 1L + random.nextInt(3);
    StringBuilder extents = new StringBuilder();
    StringBuilder at = new StringBuilder();
    for (int i = 0; i < last; i++) {
      extents.append("dA").append(i).append(", ");
      at.append(i == 0 ? "" : ", ");
      at.append(i == axis ? stride + " * i" + i + " + i" + last + " - 1" : "i" + i);
    }
    extents.append(shape[last]);
    add(g.reindex(x.value(), List.of(x.value()), extents.toString(), at.toString(), 0.25), shape);
  }

  /** Turned, cut, put in one row, or with an axis more. */
  private void addReordered(Value x) {
    long[] s = x.shape();
    List<MicroValue> a = List.of(x.value());
    if (s.length == 0) {
      add(g.reindex(x.value(), a, "2", ""), 2);
    } else if (s.length == 1) {
      switch (random.nextInt(3)) {
        case 0 -> add(g.reindex(x.value(), a, "dA0", "dA0 - 1 - i0"), s);
        case 1 -> add(g.reindex(x.value(), a, "2, dA0", "i1"), 2, s[0]);
        default -> add(g.reindex(x.value(), a, "dA0 + 2", "i0 - 1", -0.5), s[0] + 2);
      }
    } else if (s.length == 2) {
      switch (random.nextInt(3)) {
        case 0 -> add(g.reindex(x.value(), a, "dA1, dA0", "i1, i0"), s[1], s[0]);
        case 1 ->
            add(g.reindex(x.value(), a, "dA0 * dA1", "i0 / dA1, i0 - i0 / dA1 * dA1"), s[0] * s[1]);
        default -> add(g.reindex(x.value(), a, "dA0", "i0, i0"), s[0]);
      }
    } else if (s.length == 3) {
      add(g.reindex(x.value(), a, "dA2, dA0", "i1, 0, i0"), s[2], s[0]);
    } else {
      add(g.reindex(x.value(), a, "dA0, dA3", "i0, i1 - 1, 0, i1"), s[0], s[3]);
    }
  }

  private void addReduction(Value x) {
    if (x.shape().length == 0) {
      return;
    }
    long[] shape = x.shape().clone();
    List<Integer> axes = new ArrayList<>();
    int all = random.nextInt(3);
    for (int axis = 0; axis < shape.length; axis++) {
      if (all == 0 || random.nextBoolean() || (axis == shape.length - 1 && axes.isEmpty())) {
        axes.add(axis);
        shape[axis] = 1;
      }
    }
    int[] reduced = axes.stream().mapToInt(Integer::intValue).toArray();
    if (random.nextInt(4) == 0) {
      Reduction most = random.nextBoolean() ? Reduction.MAXIMUM : Reduction.MINIMUM;
      add(g.reduce(most, spread(x), reduced), shape);
    } else {
      add(g.reduce(REDUCTIONS[random.nextInt(REDUCTIONS.length)], x.value(), reduced), shape);
    }
  }

  /** Elements that are different even if those of x are repeated. */
  private MicroValue spread(Value x) {
    IndexExpression place = new IndexExpression.Constant(1);
    for (int axis = 0; axis < x.shape().length; axis++) {
      place =
          new IndexExpression.Arithmetic(
              IndexExpression.Operator.ADD,
              new IndexExpression.Arithmetic(
                  IndexExpression.Operator.MULTIPLY, place, new IndexExpression.Constant(7)),
              new IndexExpression.LoopIndex(axis));
    }
    MicroValue offset = g.cast(FLOAT64, g.position(g.shape(x.value()), place));
    MicroValue small = g.binary(BinaryOperator.MULTIPLY, offset, g.scalar(FLOAT64, 0.0137));
    return g.binary(BinaryOperator.ADD, x.value(), small);
  }

  private void addSelection(Value x) {
    if (x.shape().length == 0) {
      return;
    }
    int axis = random.nextInt(x.shape().length);
    long[] shape = x.shape().clone();
    shape[axis] = 1L + random.nextInt(4);
    long[] at = new long[Tensor.length(ImmutableLongArray.copyOf(shape))];
    for (int i = 0; i < at.length; i++) {
      at[i] = random.nextLong(x.shape()[axis] + 1) - (random.nextInt(9) == 0 ? 1L : 0L);
    }
    String name = "index" + selections++;
    inputs.put(name, Tensor.of(ImmutableLongArray.copyOf(shape), at));
    add(g.select(axis, x.value(), g.input(name, INT64, shape.length)), shape);
  }

  private void addChoice(Value x) {
    Value y = partner(x);
    long[] shape = x.shape().length == 0 ? y.shape() : x.shape();
    MicroValue less = g.binary(BinaryOperator.LESS, x.value(), y.value());
    add(g.choose(less, y.value(), x.value()), shape);
  }
}
