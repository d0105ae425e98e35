package dev.sublet.runtime.micro.run;

import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.micro.run.bind.VectorizationPlan;
import java.util.Arrays;

/**
 * A FLOAT32 expression, computed for many lanes at once. The build derives the 64-bit variant of
 * this class from the 32-bit one, by exchanging float and double.
 */
@SuppressWarnings("cast") // redundant in one of the two variants
abstract class FloatNode {

  /**
   * Returns the values of the first {@code lanes} lanes. They are valid until the next evaluation
   * of a node; the caller must not write to the array.
   */
  abstract float[] evaluate(int lanes);

  /** One value for all lanes. */
  static final class Constant extends FloatNode {

    private final float[] values = new float[VectorizationPlan.LANES];

    Constant(float value) {
      set(value);
    }

    void set(float value) {
      Arrays.fill(values, value);
    }

    @Override
    float[] evaluate(int lanes) {
      return values;
    }
  }

  /** An expression that has the same value in all lanes, computed once. */
  static final class LaneBroadcast extends FloatNode {

    private final FloatNode operand;
    private final float[] values;

    LaneBroadcast(FloatNode operand, float[] values) {
      this.operand = operand;
      this.values = values;
    }

    /** Returns the value of all lanes. */
    float one() {
      return operand.evaluate(1)[0];
    }

    @Override
    float[] evaluate(int lanes) {
      Arrays.fill(values, 0, lanes, one());
      return values;
    }
  }

  /** The values of a carried variable. */
  static final class CarriedLanes extends FloatNode {

    private final FloatCarried carried;

    CarriedLanes(FloatCarried carried) {
      this.carried = carried;
    }

    @Override
    float[] evaluate(int lanes) {
      return carried.values();
    }
  }

  /** Elements of a tensor at affine indices. */
  static final class Load extends FloatNode {

    private final Buffer buffer;
    private final RangeAddress address;
    private final float outside;
    private final float[] values;

    Load(Buffer buffer, RangeAddress address, float outside, float[] values) {
      this.buffer = buffer;
      this.address = address;
      this.outside = outside;
      this.values = values;
    }

    @Override
    float[] evaluate(int lanes) {
      address.resolve(lanes);
      int from = address.from;
      int to = address.to;
      FloatLanes.load(buffer.floats, address.first, address.stride(), values, from, to);
      if (to - from < lanes) {
        Arrays.fill(values, 0, from, outside);
        Arrays.fill(values, to, lanes, outside);
      }
      return values;
    }
  }

  /** Elements of a tensor at indices of any kind. */
  static final class Gather extends FloatNode {

    private final Buffer buffer;
    private final ScatterAddress address;
    private final float outside;
    private final float[] values;

    Gather(Buffer buffer, ScatterAddress address, float outside, float[] values) {
      this.buffer = buffer;
      this.address = address;
      this.outside = outside;
      this.values = values;
    }

    @Override
    float[] evaluate(int lanes) {
      long[] offsets = address.resolve(lanes);
      float[] elements = buffer.floats;
      for (int lane = 0; lane < lanes; lane++) {
        int offset = (int) offsets[lane];
        values[lane] = offset < 0 ? outside : elements[offset];
      }
      return values;
    }
  }

  /** A function of one operand. */
  static final class Unary extends FloatNode {

    private final UnaryOperator operator;
    private final FloatNode operand;
    private final float[] values;

    Unary(UnaryOperator operator, FloatNode operand, float[] values) {
      this.operator = operator;
      this.operand = operand;
      this.values = values;
    }

    @Override
    float[] evaluate(int lanes) {
      FloatLanes.unary(operator, operand.evaluate(lanes), values, lanes);
      return values;
    }
  }

  /** A function of two operands. */
  static final class Binary extends FloatNode {

    private final BinaryOperator operator;
    private final FloatNode left;
    private final FloatNode right;
    private final float[] values;

    Binary(BinaryOperator operator, FloatNode left, FloatNode right, float[] values) {
      this.operator = operator;
      this.left = left;
      this.right = right;
      this.values = values;
    }

    @Override
    float[] evaluate(int lanes) {
      float[] lefts = left.evaluate(lanes);
      FloatLanes.binary(operator, lefts, right.evaluate(lanes), values, lanes);
      return values;
    }
  }

  /** A conditional: one of two values. */
  static final class Conditional extends FloatNode {

    private final LongNode condition;
    private final FloatNode ifTrue;
    private final FloatNode ifFalse;
    private final float[] values;

    Conditional(LongNode condition, FloatNode ifTrue, FloatNode ifFalse, float[] values) {
      this.condition = condition;
      this.ifTrue = ifTrue;
      this.ifFalse = ifFalse;
      this.values = values;
    }

    @Override
    float[] evaluate(int lanes) {
      long[] conditions = condition.evaluate(lanes);
      float[] yes = ifTrue.evaluate(lanes);
      float[] no = ifFalse.evaluate(lanes);
      for (int lane = 0; lane < lanes; lane++) {
        values[lane] = conditions[lane] != 0 ? yes[lane] : no[lane];
      }
      return values;
    }
  }

  /** Values of the other precision, rounded if that precision is the higher one. */
  static final class FromDouble extends FloatNode {

    private final DoubleNode operand;
    private final float[] values;

    FromDouble(DoubleNode operand, float[] values) {
      this.operand = operand;
      this.values = values;
    }

    @Override
    float[] evaluate(int lanes) {
      double[] doubles = operand.evaluate(lanes);
      for (int lane = 0; lane < lanes; lane++) {
        values[lane] = (float) doubles[lane];
      }
      return values;
    }
  }

  /** Integers or booleans, rounded. */
  static final class FromLong extends FloatNode {

    private final LongNode operand;
    private final float[] values;

    FromLong(LongNode operand, float[] values) {
      this.operand = operand;
      this.values = values;
    }

    @Override
    float[] evaluate(int lanes) {
      long[] longs = operand.evaluate(lanes);
      for (int lane = 0; lane < lanes; lane++) {
        values[lane] = (float) longs[lane];
      }
      return values;
    }
  }
}
