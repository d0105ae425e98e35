package dev.sublet.runtime.micro.run;

import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.micro.run.bind.VectorizationPlan;
import dev.sublet.runtime.tensor.ElementType;
import java.util.Arrays;

/**
 * An integer or boolean expression, computed for many lanes at once. INT32, UINT8 and INT8 values
 * are long numbers in the range of the type; booleans are 0 or 1. {@link IndexNode} contains the
 * nodes of indices.
 */
abstract class LongNode {

  /**
   * Returns the values of the first {@code lanes} lanes. They are valid until the next evaluation
   * of a node; the caller must not write to the array.
   */
  abstract long[] evaluate(int lanes);

  /** One value for all lanes. */
  static final class Constant extends LongNode {

    private final long[] values = new long[VectorizationPlan.LANES];

    Constant(long value) {
      Arrays.fill(values, value);
    }

    @Override
    long[] evaluate(int lanes) {
      return values;
    }
  }

  /** An expression that has the same value in all lanes, computed once. */
  static final class LaneBroadcast extends LongNode {

    private final LongNode operand;
    private final long[] values;

    LaneBroadcast(LongNode operand, long[] values) {
      this.operand = operand;
      this.values = values;
    }

    @Override
    long[] evaluate(int lanes) {
      Arrays.fill(values, 0, lanes, operand.evaluate(1)[0]);
      return values;
    }
  }

  /** The values of a carried variable. */
  static final class CarriedLanes extends LongNode {

    private final LongCarried carried;

    CarriedLanes(LongCarried carried) {
      this.carried = carried;
    }

    @Override
    long[] evaluate(int lanes) {
      return carried.values();
    }
  }

  /** The positions of the best values of a carried variable. */
  static final class CarriedPositions extends LongNode {

    private final Carried carried;

    CarriedPositions(Carried carried) {
      this.carried = carried;
    }

    @Override
    long[] evaluate(int lanes) {
      return carried.positions();
    }
  }

  /** Elements of a tensor at affine indices. */
  static final class Load extends LongNode {

    private final Buffer buffer;
    private final RangeAddress address;
    private final long outside;
    private final long[] values;

    Load(Buffer buffer, RangeAddress address, long outside, long[] values) {
      this.buffer = buffer;
      this.address = address;
      this.outside = outside;
      this.values = values;
    }

    @Override
    long[] evaluate(int lanes) {
      address.resolve(lanes);
      int from = address.from;
      int to = address.to;
      LongLanes.load(buffer, address.first, address.stride(), values, from, to);
      if (to - from < lanes) {
        Arrays.fill(values, 0, from, outside);
        Arrays.fill(values, to, lanes, outside);
      }
      return values;
    }
  }

  /** Elements of a tensor at indices of any kind. */
  static final class Gather extends LongNode {

    private final Buffer buffer;
    private final ScatterAddress address;
    private final long outside;
    private final long[] values;

    Gather(Buffer buffer, ScatterAddress address, long outside, long[] values) {
      this.buffer = buffer;
      this.address = address;
      this.outside = outside;
      this.values = values;
    }

    @Override
    long[] evaluate(int lanes) {
      LongLanes.gather(buffer, address.resolve(lanes), outside, values, lanes);
      return values;
    }
  }

  /** A function of one operand. */
  static final class Unary extends LongNode {

    private final UnaryOperator operator;
    private final ElementType type;
    private final LongNode operand;
    private final long[] values;

    Unary(UnaryOperator operator, ElementType type, LongNode operand, long[] values) {
      this.operator = operator;
      this.type = type;
      this.operand = operand;
      this.values = values;
    }

    @Override
    long[] evaluate(int lanes) {
      long[] operands = operand.evaluate(lanes);
      for (int lane = 0; lane < lanes; lane++) {
        values[lane] = Operators.wrap(type, Operators.apply(operator, operands[lane]));
      }
      return values;
    }
  }

  /** A function of two operands of the type of the result. */
  static final class Binary extends LongNode {

    private final BinaryOperator operator;
    private final ElementType type;
    private final LongNode left;
    private final LongNode right;
    private final long[] values;

    Binary(
        BinaryOperator operator, ElementType type, LongNode left, LongNode right, long[] values) {
      this.operator = operator;
      this.type = type;
      this.left = left;
      this.right = right;
      this.values = values;
    }

    @Override
    long[] evaluate(int lanes) {
      long[] lefts = left.evaluate(lanes);
      LongLanes.binary(operator, type, lefts, right.evaluate(lanes), values, lanes);
      return values;
    }
  }

  /** A comparison of two integers. */
  static final class CompareLongs extends LongNode {

    private final BinaryOperator operator;
    private final LongNode left;
    private final LongNode right;
    private final long[] values;

    CompareLongs(BinaryOperator operator, LongNode left, LongNode right, long[] values) {
      this.operator = operator;
      this.left = left;
      this.right = right;
      this.values = values;
    }

    @Override
    long[] evaluate(int lanes) {
      long[] lefts = left.evaluate(lanes);
      LongLanes.compare(operator, lefts, right.evaluate(lanes), values, lanes);
      return values;
    }
  }

  /** A comparison of two floats. */
  static final class CompareFloats extends LongNode {

    private final BinaryOperator operator;
    private final FloatNode left;
    private final FloatNode right;
    private final long[] values;

    CompareFloats(BinaryOperator operator, FloatNode left, FloatNode right, long[] values) {
      this.operator = operator;
      this.left = left;
      this.right = right;
      this.values = values;
    }

    @Override
    long[] evaluate(int lanes) {
      float[] lefts = left.evaluate(lanes);
      FloatLanes.compare(operator, lefts, right.evaluate(lanes), values, lanes);
      return values;
    }
  }

  /** A comparison of two doubles. */
  static final class CompareDoubles extends LongNode {

    private final BinaryOperator operator;
    private final DoubleNode left;
    private final DoubleNode right;
    private final long[] values;

    CompareDoubles(BinaryOperator operator, DoubleNode left, DoubleNode right, long[] values) {
      this.operator = operator;
      this.left = left;
      this.right = right;
      this.values = values;
    }

    @Override
    long[] evaluate(int lanes) {
      double[] lefts = left.evaluate(lanes);
      DoubleLanes.compare(operator, lefts, right.evaluate(lanes), values, lanes);
      return values;
    }
  }

  /** A conditional: one of two values. */
  static final class Conditional extends LongNode {

    private final LongNode condition;
    private final LongNode ifTrue;
    private final LongNode ifFalse;
    private final long[] values;

    Conditional(LongNode condition, LongNode ifTrue, LongNode ifFalse, long[] values) {
      this.condition = condition;
      this.ifTrue = ifTrue;
      this.ifFalse = ifFalse;
      this.values = values;
    }

    @Override
    long[] evaluate(int lanes) {
      long[] conditions = condition.evaluate(lanes);
      long[] yes = ifTrue.evaluate(lanes);
      long[] no = ifFalse.evaluate(lanes);
      for (int lane = 0; lane < lanes; lane++) {
        values[lane] = conditions[lane] != 0 ? yes[lane] : no[lane];
      }
      return values;
    }
  }

  /** Floats, converted to an integer type or to booleans. */
  static final class FromFloat extends LongNode {

    private final ElementType type;
    private final FloatNode operand;
    private final long[] values;

    FromFloat(ElementType type, FloatNode operand, long[] values) {
      this.type = type;
      this.operand = operand;
      this.values = values;
    }

    @Override
    long[] evaluate(int lanes) {
      float[] floats = operand.evaluate(lanes);
      for (int lane = 0; lane < lanes; lane++) {
        values[lane] = Operators.toInteger(type, (double) floats[lane]);
      }
      return values;
    }
  }

  /** Doubles, converted to an integer type or to booleans. */
  static final class FromDouble extends LongNode {

    private final ElementType type;
    private final DoubleNode operand;
    private final long[] values;

    FromDouble(ElementType type, DoubleNode operand, long[] values) {
      this.type = type;
      this.operand = operand;
      this.values = values;
    }

    @Override
    long[] evaluate(int lanes) {
      double[] doubles = operand.evaluate(lanes);
      for (int lane = 0; lane < lanes; lane++) {
        values[lane] = Operators.toInteger(type, doubles[lane]);
      }
      return values;
    }
  }

  /** Integers or booleans, converted to another of these types. */
  static final class FromLong extends LongNode {

    private final ElementType type;
    private final LongNode operand;
    private final long[] values;

    FromLong(ElementType type, LongNode operand, long[] values) {
      this.type = type;
      this.operand = operand;
      this.values = values;
    }

    @Override
    long[] evaluate(int lanes) {
      long[] longs = operand.evaluate(lanes);
      for (int lane = 0; lane < lanes; lane++) {
        values[lane] = Operators.toInteger(type, longs[lane]);
      }
      return values;
    }
  }
}
