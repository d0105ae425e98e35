package dev.sublet.runtime.micro.op;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.Arithmetic;
import dev.sublet.runtime.micro.ir.IndexExpression.AxisSize;
import dev.sublet.runtime.micro.ir.IndexExpression.Constant;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.tensor.ElementType;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Random graphs of every op, built step by step: a step that the builder refuses is left out. They
 * compute nothing sensible.
 */
public final class RandomMicroGraphs {

  private static final String[] NAMES = {
    "a",
    "b",
    "X",
    "sum",
    "maximum",
    "reindex",
    "select",
    "position",
    "over",
    "with",
    "input",
    "output",
    "require",
    "inf",
    "nan",
    "true",
    "and",
    "or",
    "t3",
    "t5",
    "exp",
    "x@GRAD",
    "",
    "two words",
    "parameter",
    "dA0",
    "i0",
  };

  private static final ElementType[] MICRO_TYPES =
      ElementType.ofMicroPrograms().toArray(ElementType[]::new);

  private final Random random;
  private final MicroGraphBuilder builder;
  private final List<MicroValue> values = new ArrayList<>();
  private final List<MicroValue> tensors = new ArrayList<>();

  /** What indices can mention besides loops: extents of inputs and integer parameters. */
  private final List<IndexExpression> extents = new ArrayList<>();

  private RandomMicroGraphs(Random random) {
    this.random = random;
    this.builder = new MicroGraphBuilder(pick(NAMES));
  }

  /** The graph of a seed, with some ops at most. */
  public static MicroGraph generate(long seed, int ops) {
    return new RandomMicroGraphs(new Random(seed)).graph(ops);
  }

  private MicroGraph graph(int ops) {
    for (int i = 0; i < ops; i++) {
      try {
        int before = builder.size();
        step();
        if (builder.size() > before) {
          add(new MicroValue(builder.size() - 1));
        }
      } catch (IllegalArgumentException e) {
        // Types, ranks or names do not fit: another step.
      }
    }
    for (int i = 0; i < 4; i++) {
      try {
        builder.output(pick(NAMES), pick(tensors));
      } catch (IllegalArgumentException e) {
        // The name is taken.
      }
    }
    return builder.build();
  }

  private void add(MicroValue value) {
    if (random.nextBoolean()) {
      try {
        builder.named(pick(NAMES), value);
      } catch (IllegalArgumentException e) {
        // The name is taken.
      }
    }
    values.add(value);
    boolean scalar = builder.build().node(value).isScalar();
    if (!scalar) {
      tensors.add(value);
    }
  }

  private <T> T pick(T[] from) {
    return from[random.nextInt(from.length)];
  }

  private <T> T pick(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  private void step() {
    int kind = tensors.isEmpty() ? 0 : random.nextInt(14);
    switch (kind) {
      case 0 -> input();
      case 1 -> literal();
      case 2 -> builder.parameter(pick(NAMES), pick(MICRO_TYPES));
      case 3 -> {
        String name = pick(NAMES);
        builder.indexParameter(name);
        extents.add(new IndexExpression.Parameter(name));
      }
      case 4 -> {
        ImmutableList<IndexExpression> shape = shape();
        builder.position(shape, index(2, shape.size()));
      }
      case 5, 6 -> reindex();
      case 7 -> builder.unary(pick(UnaryOperator.values()), pick(values));
      case 8, 9 -> builder.binary(pick(BinaryOperator.values()), pick(values), pick(values));
      case 10 -> builder.choose(pick(values), pick(values), pick(values));
      case 11 -> builder.cast(pick(MICRO_TYPES), pick(values));
      case 12 -> reduce();
      default -> {
        MicroValue x = pick(tensors);
        if (!builder.shape(x).isEmpty()) {
          builder.select(random.nextInt(builder.shape(x).size()), x, pick(tensors));
        }
      }
    }
  }

  private void input() {
    String name = pick(NAMES);
    int rank = random.nextInt(4);
    ImmutableList.Builder<IndexExpression> shape = ImmutableList.builder();
    for (int axis = 0; axis < rank; axis++) {
      int kind = random.nextInt(4);
      if (kind == 0 && !extents.isEmpty()) {
        shape.add(pick(extents));
      } else {
        shape.add(kind == 1 ? new Constant(random.nextInt(5)) : new AxisSize(name, axis));
      }
    }
    builder.input(name, pick(MICRO_TYPES), shape.build());
    for (int axis = 0; axis < rank; axis++) {
      extents.add(new AxisSize(name, axis));
    }
  }

  private void literal() {
    ElementType type = pick(MICRO_TYPES);
    if (type == ElementType.BOOL) {
      builder.scalar(type, (long) random.nextInt(2));
    } else if (type.isFloating()) {
      double[] numbers = {0.5, -0.0, Double.NaN, Double.NEGATIVE_INFINITY, 1e-7, -3};
      builder.scalar(type, numbers[random.nextInt(numbers.length)]);
    } else {
      builder.scalar(type, type.wrapped(random.nextInt()));
    }
  }

  private void reindex() {
    MicroValue x = pick(tensors);
    ImmutableList<IndexExpression> shape = random.nextBoolean() ? shape() : builder.shape(x);
    ImmutableList.Builder<IndexExpression> at = ImmutableList.builder();
    for (int axis = 0; axis < builder.shape(x).size(); axis++) {
      at.add(index(2, shape.size()));
    }
    double[] outside = {0, 0, -0.0, Double.NEGATIVE_INFINITY, 2.5, Double.NaN};
    builder.reindex(x, shape, at.build(), outside[random.nextInt(outside.length)]);
  }

  private void reduce() {
    MicroValue x = pick(tensors);
    int rank = builder.shape(x).size();
    int[] axes = IntStream.range(0, rank).filter(axis -> random.nextBoolean()).toArray();
    builder.reduce(pick(Reduction.values()), x, axes);
  }

  private ImmutableList<IndexExpression> shape() {
    ImmutableList.Builder<IndexExpression> shape = ImmutableList.builder();
    for (int axis = random.nextInt(4); axis > 0; axis--) {
      shape.add(index(2, 0));
    }
    return shape.build();
  }

  private IndexExpression index(int depth, int loops) {
    int kind = random.nextInt(depth > 0 ? 6 : 3);
    if (kind == 0 && loops > 0) {
      return new IndexExpression.LoopIndex(random.nextInt(loops));
    }
    if (kind == 1 && !extents.isEmpty()) {
      return pick(extents);
    }
    if (kind == 3) {
      return new IndexExpression.Negation(index(depth - 1, loops));
    }
    if (kind > 3) {
      return new Arithmetic(
          pick(IndexExpression.Operator.values()),
          index(depth - 1, loops),
          index(depth - 1, loops));
    }
    return new Constant(random.nextInt(9) - 2);
  }
}
