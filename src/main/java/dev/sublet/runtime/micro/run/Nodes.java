package dev.sublet.runtime.micro.run;

import static com.google.common.base.Preconditions.checkArgument;

import dev.sublet.runtime.micro.ir.Expression;
import dev.sublet.runtime.micro.ir.ExpressionTypes;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.run.bind.BoundAccess;
import dev.sublet.runtime.micro.run.bind.BoundNest;
import dev.sublet.runtime.micro.run.bind.NestSurvey;
import dev.sublet.runtime.tensor.ElementType;

/**
 * Translates the expressions in the statements of one loop into nodes.
 *
 * <p>A number {@code p} is that of the first free scratch array: a node stores its result in no
 * array with a smaller number.
 */
final class Nodes {

  private final BoundNest nest;
  private final NestMemory memory;
  private final ExpressionTypes types;
  private final int depth;

  /**
   * The depth of the lane loop; -1 if the statements are outside of that loop and run for one lane.
   */
  private final int lane;

  private final Addresses addresses;

  /**
   * Creates the nodes of a loop's statements.
   *
   * @param depth the depth of the loop; -1 for expressions before all loops
   * @param laneDepth the depth of the lane loop
   */
  Nodes(BoundNest nest, NestMemory memory, ExpressionTypes types, int depth, int laneDepth) {
    this.nest = nest;
    this.memory = memory;
    this.types = types;
    this.depth = depth;
    this.lane = depth >= laneDepth ? laneDepth : -1;
    this.addresses = new Addresses(nest, memory, depth, lane);
  }

  /** Returns the addresses of the same statements. */
  Addresses addresses() {
    return addresses;
  }

  /** Returns the node of a FLOAT32 expression. */
  FloatNode floats(Expression expression, int p) {
    FloatNode node = plainFloats(expression, p);
    return isComputedOnce(expression)
        ? new FloatNode.LaneBroadcast(node, memory.scratch().floats(p))
        : node;
  }

  private FloatNode plainFloats(Expression expression, int p) {
    float[] values = memory.scratch().floats(p);
    if (expression instanceof Expression.FloatLiteral literal) {
      return new FloatNode.Constant((float) literal.value());
    }
    if (expression instanceof Expression.ScalarParameter parameter) {
      return memory.floatParameter(parameter.name());
    }
    if (expression instanceof Expression.Load load) {
      BoundAccess access = nest.access(load.access());
      RangeAddress range = addresses.range(access);
      float outside = (float) load.outside();
      return range != null
          ? new FloatNode.Load(memory.buffer(access.tensor()), range, outside, values)
          : new FloatNode.Gather(
              memory.buffer(access.tensor()), addresses.scatter(access, p), outside, values);
    }
    if (expression instanceof Expression.CarriedValue value) {
      return new FloatNode.CarriedLanes((FloatCarried) carried(value.id()));
    }
    if (expression instanceof Expression.Unary unary) {
      return new FloatNode.Unary(unary.operator(), floats(unary.operand(), p), values);
    }
    if (expression instanceof Expression.Binary binary) {
      return new FloatNode.Binary(
          binary.operator(), floats(binary.left(), p), floats(binary.right(), p + 1), values);
    }
    if (expression instanceof Expression.Conditional conditional) {
      return new FloatNode.Conditional(
          longs(conditional.condition(), p),
          floats(conditional.ifTrue(), p + 1),
          floats(conditional.ifFalse(), p + 2),
          values);
    }
    if (expression instanceof Expression.Cast cast) {
      return switch (types.of(cast.operand())) {
        case FLOAT32 -> floats(cast.operand(), p);
        case FLOAT64 -> new FloatNode.FromDouble(doubles(cast.operand(), p), values);
        default -> new FloatNode.FromLong(longs(cast.operand(), p), values);
      };
    }
    throw new AssertionError(expression);
  }

  /** Returns the node of a FLOAT64 expression. */
  DoubleNode doubles(Expression expression, int p) {
    DoubleNode node = plainDoubles(expression, p);
    return isComputedOnce(expression)
        ? new DoubleNode.LaneBroadcast(node, memory.scratch().doubles(p))
        : node;
  }

  private DoubleNode plainDoubles(Expression expression, int p) {
    double[] values = memory.scratch().doubles(p);
    if (expression instanceof Expression.FloatLiteral literal) {
      return new DoubleNode.Constant(literal.value());
    }
    if (expression instanceof Expression.ScalarParameter parameter) {
      return memory.doubleParameter(parameter.name());
    }
    if (expression instanceof Expression.Load load) {
      BoundAccess access = nest.access(load.access());
      RangeAddress range = addresses.range(access);
      double outside = load.outside();
      return range != null
          ? new DoubleNode.Load(memory.buffer(access.tensor()), range, outside, values)
          : new DoubleNode.Gather(
              memory.buffer(access.tensor()), addresses.scatter(access, p), outside, values);
    }
    if (expression instanceof Expression.CarriedValue value) {
      return new DoubleNode.CarriedLanes((DoubleCarried) carried(value.id()));
    }
    if (expression instanceof Expression.Unary unary) {
      return new DoubleNode.Unary(unary.operator(), doubles(unary.operand(), p), values);
    }
    if (expression instanceof Expression.Binary binary) {
      return new DoubleNode.Binary(
          binary.operator(), doubles(binary.left(), p), doubles(binary.right(), p + 1), values);
    }
    if (expression instanceof Expression.Conditional conditional) {
      return new DoubleNode.Conditional(
          longs(conditional.condition(), p),
          doubles(conditional.ifTrue(), p + 1),
          doubles(conditional.ifFalse(), p + 2),
          values);
    }
    if (expression instanceof Expression.Cast cast) {
      return switch (types.of(cast.operand())) {
        case FLOAT32 -> new DoubleNode.FromFloat(floats(cast.operand(), p), values);
        case FLOAT64 -> doubles(cast.operand(), p);
        default -> new DoubleNode.FromLong(longs(cast.operand(), p), values);
      };
    }
    throw new AssertionError(expression);
  }

  /** Returns the node of an integer or boolean expression. */
  LongNode longs(Expression expression, int p) {
    LongNode node = plainLongs(expression, p);
    return isComputedOnce(expression)
        ? new LongNode.LaneBroadcast(node, memory.scratch().longs(p))
        : node;
  }

  private LongNode plainLongs(Expression expression, int p) {
    long[] values = memory.scratch().longs(p);
    ElementType type = types.of(expression);
    if (expression instanceof Expression.IntegerLiteral literal) {
      return new LongNode.Constant(literal.value());
    }
    if (expression instanceof Expression.ScalarParameter parameter) {
      long value = nest.value(new IndexExpression.Parameter(parameter.name()));
      return new LongNode.Constant(Operators.toInteger(type, value));
    }
    if (expression instanceof Expression.IndexValue value) {
      return addresses.index(value.index(), p);
    }
    if (expression instanceof Expression.Load load) {
      return addresses.load(
          nest.access(load.access()), Operators.toInteger(type, load.outside()), p);
    }
    if (expression instanceof Expression.CarriedValue value) {
      Carried carried = carried(value.id());
      return carried.operator().isPosition()
          ? new LongNode.CarriedPositions(carried)
          : new LongNode.CarriedLanes((LongCarried) carried);
    }
    if (expression instanceof Expression.Unary unary) {
      return new LongNode.Unary(unary.operator(), type, longs(unary.operand(), p), values);
    }
    if (expression instanceof Expression.Binary binary) {
      return binary.operator().isComparison()
          ? comparison(binary, p)
          : new LongNode.Binary(
              binary.operator(),
              type,
              longs(binary.left(), p),
              longs(binary.right(), p + 1),
              values);
    }
    if (expression instanceof Expression.Conditional conditional) {
      return new LongNode.Conditional(
          longs(conditional.condition(), p),
          longs(conditional.ifTrue(), p + 1),
          longs(conditional.ifFalse(), p + 2),
          values);
    }
    if (expression instanceof Expression.Cast cast) {
      return switch (types.of(cast.operand())) {
        case FLOAT32 -> new LongNode.FromFloat(type, floats(cast.operand(), p), values);
        case FLOAT64 -> new LongNode.FromDouble(type, doubles(cast.operand(), p), values);
        default -> new LongNode.FromLong(type, longs(cast.operand(), p), values);
      };
    }
    throw new AssertionError(expression);
  }

  private LongNode comparison(Expression.Binary binary, int p) {
    long[] values = memory.scratch().longs(p);
    Expression left = binary.left();
    Expression right = binary.right();
    return switch (types.of(left)) {
      case FLOAT32 ->
          new LongNode.CompareFloats(
              binary.operator(), floats(left, p), floats(right, p + 1), values);
      case FLOAT64 ->
          new LongNode.CompareDoubles(
              binary.operator(), doubles(left, p), doubles(right, p + 1), values);
      default ->
          new LongNode.CompareLongs(binary.operator(), longs(left, p), longs(right, p + 1), values);
    };
  }

  private Carried carried(int id) {
    Carried carried = memory.carried(id);
    checkArgument(carried.depth() <= depth, "c%s is carried by a loop inside", id);
    return carried;
  }

  /** Whether an expression has the same value in all lanes and is worth computing once. */
  private boolean isComputedOnce(Expression expression) {
    boolean simple =
        expression instanceof Expression.FloatLiteral
            || expression instanceof Expression.IntegerLiteral
            || expression instanceof Expression.ScalarParameter
            || expression instanceof Expression.Load;
    return !simple && isUniform(expression);
  }

  /**
   * Whether an expression has the same value in all lanes; false for statements outside of the lane
   * loop.
   */
  boolean isUniform(Expression expression) {
    if (lane < 0) {
      return false;
    }
    if (expression instanceof Expression.Load load) {
      return load.access().at().stream().allMatch(addresses::isUniform);
    }
    if (expression instanceof Expression.IndexValue value) {
      return addresses.isUniform(value.index());
    }
    if (expression instanceof Expression.CarriedValue value) {
      return carried(value.id()).depth() < lane;
    }
    return NestSurvey.parts(expression).stream().allMatch(this::isUniform);
  }
}
