package dev.sublet.runtime.micro.ir;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.ir.IndexExpression.Operator;
import java.util.Random;

/** Random index expressions. */
public final class RandomIndices {

  private static final Operator[] OPERATORS = Operator.values();

  private RandomIndices() {}

  /** Over every kind of leaf, with names of every kind. */
  public static IndexExpression any(Random random, int depth) {
    int kind = random.nextInt(depth > 0 ? 8 : 4);
    return switch (kind) {
      case 0 -> new IndexExpression.Constant(RandomMicroPrograms.integer(random));
      case 1 -> new IndexExpression.LoopIndex(random.nextInt(4));
      case 2 -> new IndexExpression.AxisSize(RandomMicroPrograms.name(random), random.nextInt(3));
      case 3 -> new IndexExpression.Parameter(RandomMicroPrograms.name(random));
      case 4 -> new IndexExpression.Negation(any(random, depth - 1));
      case 5 -> {
        ImmutableList.Builder<IndexExpression> at = ImmutableList.builder();
        for (int i = random.nextInt(3); i > 0; i--) {
          at.add(any(random, depth - 1));
        }
        yield new IndexExpression.Element(RandomMicroPrograms.name(random), at.build());
      }
      default ->
          new IndexExpression.Arithmetic(
              OPERATORS[random.nextInt(4)], any(random, depth - 1), any(random, depth - 1));
    };
  }

  /** Over small numbers, i0 to i2 and $k. */
  public static IndexExpression arithmetic(Random random, int depth) {
    int kind = random.nextInt(depth > 0 ? 7 : 3);
    return switch (kind) {
      case 0 -> new IndexExpression.Constant(random.nextInt(15) - 7);
      case 1 -> new IndexExpression.LoopIndex(random.nextInt(3));
      case 2 -> new IndexExpression.Parameter("k");
      case 3 -> new IndexExpression.Negation(arithmetic(random, depth - 1));
      default ->
          new IndexExpression.Arithmetic(
              OPERATORS[random.nextInt(4)],
              arithmetic(random, depth - 1),
              arithmetic(random, depth - 1));
    };
  }
}
