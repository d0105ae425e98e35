package dev.sublet.runtime.micro.run;

import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.micro.run.bind.VectorizationPlan;
import java.util.Arrays;

/** A FLOAT64 expression, computed for many lanes at once. */
abstract class DoubleNode {

  /**
   * The values of the first {@code lanes} lanes. They stay until something else is evaluated; who
   * calls does not write to them.
   */
  abstract double[] evaluate(int lanes);

  /** One value for all lanes. */
  static final class Constant extends DoubleNode {

    private final double[] values = new double[VectorizationPlan.LANES];

    Constant(double value) {
      set(value);
    }

    void set(double value) {
      Arrays.fill(values, value);
    }

    @Override
    double[] evaluate(int lanes) {
      return values;
    }
  }

  /** What is the same in all lanes, computed once. */
  static final class Broadcast extends DoubleNode {

    private final DoubleNode operand;
    private final double[] values;

    Broadcast(DoubleNode operand, double[] values) {
      this.operand = operand;
      this.values = values;
    }

    /** The value of all lanes. */
    double one() {
      return operand.evaluate(1)[0];
    }

    @Override
    double[] evaluate(int lanes) {
      Arrays.fill(values, 0, lanes, one());
      return values;
    }
  }

  /** The values of a carried variable. */
  static final class CarriedLanes extends DoubleNode {

    private final DoubleCarried carried;

    CarriedLanes(DoubleCarried carried) {
      this.carried = carried;
    }

    @Override
    double[] evaluate(int lanes) {
      return carried.values();
    }
  }

  /** Elements of a tensor at affine indices. */
  static final class Load extends DoubleNode {

    private final Buffer buffer;
    private final RangeAddress address;
    private final double outside;
    private final double[] values;

    Load(Buffer buffer, RangeAddress address, double outside, double[] values) {
      this.buffer = buffer;
      this.address = address;
      this.outside = outside;
      this.values = values;
    }

    @Override
    double[] evaluate(int lanes) {
      address.resolve(lanes);
      int from = address.from;
      int to = address.to;
      DoubleLanes.load(buffer.doubles, address.first, address.stride(), values, from, to);
      if (to - from < lanes) {
        Arrays.fill(values, 0, from, outside);
        Arrays.fill(values, to, lanes, outside);
      }
      return values;
    }
  }

  /** Elements of a tensor at indices of any kind. */
  static final class Gather extends DoubleNode {

    private final Buffer buffer;
    private final ScatterAddress address;
    private final double outside;
    private final double[] values;

    Gather(Buffer buffer, ScatterAddress address, double outside, double[] values) {
      this.buffer = buffer;
      this.address = address;
      this.outside = outside;
      this.values = values;
    }

    @Override
    double[] evaluate(int lanes) {
      long[] offsets = address.resolve(lanes);
      double[] elements = buffer.doubles;
      for (int lane = 0; lane < lanes; lane++) {
        int offset = (int) offsets[lane];
        values[lane] = offset < 0 ? outside : elements[offset];
      }
      return values;
    }
  }

  /** A function of one operand. */
  static final class Unary extends DoubleNode {

    private final UnaryOperator operator;
    private final DoubleNode operand;
    private final double[] values;

    Unary(UnaryOperator operator, DoubleNode operand, double[] values) {
      this.operator = operator;
      this.operand = operand;
      this.values = values;
    }

    @Override
    double[] evaluate(int lanes) {
      DoubleLanes.unary(operator, operand.evaluate(lanes), values, lanes);
      return values;
    }
  }

  /** A function of two operands. */
  static final class Binary extends DoubleNode {

    private final BinaryOperator operator;
    private final DoubleNode left;
    private final DoubleNode right;
    private final double[] values;

    Binary(BinaryOperator operator, DoubleNode left, DoubleNode right, double[] values) {
      this.operator = operator;
      this.left = left;
      this.right = right;
      this.values = values;
    }

    @Override
    double[] evaluate(int lanes) {
      double[] lefts = left.evaluate(lanes);
      DoubleLanes.binary(operator, lefts, right.evaluate(lanes), values, lanes);
      return values;
    }
  }

  /** One of two values. */
  static final class Choice extends DoubleNode {

    private final LongNode condition;
    private final DoubleNode ifTrue;
    private final DoubleNode ifFalse;
    private final double[] values;

    Choice(LongNode condition, DoubleNode ifTrue, DoubleNode ifFalse, double[] values) {
      this.condition = condition;
      this.ifTrue = ifTrue;
      this.ifFalse = ifFalse;
      this.values = values;
    }

    @Override
    double[] evaluate(int lanes) {
      long[] conditions = condition.evaluate(lanes);
      double[] yes = ifTrue.evaluate(lanes);
      double[] no = ifFalse.evaluate(lanes);
      for (int lane = 0; lane < lanes; lane++) {
        values[lane] = conditions[lane] != 0 ? yes[lane] : no[lane];
      }
      return values;
    }
  }

  /** Floats. */
  static final class FromFloat extends DoubleNode {

    private final FloatNode operand;
    private final double[] values;

    FromFloat(FloatNode operand, double[] values) {
      this.operand = operand;
      this.values = values;
    }

    @Override
    double[] evaluate(int lanes) {
      float[] floats = operand.evaluate(lanes);
      for (int lane = 0; lane < lanes; lane++) {
        values[lane] = floats[lane];
      }
      return values;
    }
  }

  /** Integers or booleans, rounded. */
  static final class FromLong extends DoubleNode {

    private final LongNode operand;
    private final double[] values;

    FromLong(LongNode operand, double[] values) {
      this.operand = operand;
      this.values = values;
    }

    @Override
    double[] evaluate(int lanes) {
      long[] longs = operand.evaluate(lanes);
      for (int lane = 0; lane < lanes; lane++) {
        values[lane] = (double) longs[lane];
      }
      return values;
    }
  }
}
