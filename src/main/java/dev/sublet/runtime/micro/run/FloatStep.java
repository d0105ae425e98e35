package dev.sublet.runtime.micro.run;

import dev.sublet.runtime.micro.ir.ReduceOperator;

/**
 * Statements with FLOAT32 values. The build derives the 64-bit variant of this class from the
 * 32-bit one.
 */
final class FloatStep {

  private FloatStep() {}

  /** An assignment to elements at affine indices. */
  static final class Store extends MicroStep {

    private final Buffer buffer;
    private final RangeAddress address;
    private final FloatNode value;

    Store(Buffer buffer, RangeAddress address, FloatNode value) {
      this.buffer = buffer;
      this.address = address;
      this.value = value;
    }

    @Override
    void execute(int lanes) {
      float[] values = value.evaluate(lanes);
      address.resolve(lanes);
      FloatLanes.store(
          buffer.floats, address.first, address.stride(), values, address.from, address.to);
    }
  }

  /** An assignment to elements at indices of any kind. */
  static final class Scatter extends MicroStep {

    private final Buffer buffer;
    private final ScatterAddress address;
    private final FloatNode value;

    Scatter(Buffer buffer, ScatterAddress address, FloatNode value) {
      this.buffer = buffer;
      this.address = address;
      this.value = value;
    }

    @Override
    void execute(int lanes) {
      float[] values = value.evaluate(lanes);
      long[] offsets = address.resolve(lanes);
      for (int lane = 0; lane < lanes; lane++) {
        if (offsets[lane] >= 0) {
          buffer.floats[(int) offsets[lane]] = values[lane];
        }
      }
    }
  }

  /** An accumulation into elements at affine indices. */
  static final class Accumulate extends MicroStep {

    private final ReduceOperator operator;
    private final Buffer buffer;
    private final RangeAddress address;
    private final FloatNode value;
    private final float[] sums;

    /**
     * Creates a statement.
     *
     * @param sums an array for intermediate results
     */
    Accumulate(
        ReduceOperator operator,
        Buffer buffer,
        RangeAddress address,
        FloatNode value,
        float[] sums) {
      this.operator = operator;
      this.buffer = buffer;
      this.address = address;
      this.value = value;
      this.sums = sums;
    }

    @Override
    void execute(int lanes) {
      float[] values = value.evaluate(lanes);
      address.resolve(lanes);
      FloatLanes.accumulate(operator, buffer.floats, address, values, sums);
    }
  }

  /** An accumulation into elements at indices of any kind. */
  static final class AccumulateScattered extends MicroStep {

    private final ReduceOperator operator;
    private final Buffer buffer;
    private final ScatterAddress address;
    private final FloatNode value;

    AccumulateScattered(
        ReduceOperator operator, Buffer buffer, ScatterAddress address, FloatNode value) {
      this.operator = operator;
      this.buffer = buffer;
      this.address = address;
      this.value = value;
    }

    @Override
    void execute(int lanes) {
      float[] values = value.evaluate(lanes);
      long[] offsets = address.resolve(lanes);
      float[] elements = buffer.floats;
      for (int lane = 0; lane < lanes; lane++) {
        int offset = (int) offsets[lane];
        if (offset >= 0) {
          elements[offset] = FloatLanes.fold(operator, elements[offset], values[lane]);
        }
      }
    }
  }

  /** A fold of values into the lanes of a carried variable. */
  static final class Fold extends MicroStep {

    private final FloatCarried carried;
    private final FloatNode value;

    Fold(FloatCarried carried, FloatNode value) {
      this.carried = carried;
      this.value = value;
    }

    @Override
    void execute(int lanes) {
      carried.fold(value.evaluate(lanes), lanes);
    }
  }

  /** A fold of all lanes into a carried variable of a loop around the lane loop, in order. */
  static final class FoldInOrder extends MicroStep {

    private final FloatCarried carried;
    private final FloatNode value;

    FoldInOrder(FloatCarried carried, FloatNode value) {
      this.carried = carried;
      this.value = value;
    }

    @Override
    void execute(int lanes) {
      carried.foldInOrder(value.evaluate(lanes), lanes);
    }
  }

  /** A fold of values and their positions into a carried variable. */
  static final class FoldPositions extends MicroStep {

    private final FloatCarried carried;
    private final FloatNode value;
    private final LongNode position;
    private final boolean inOrder;

    FoldPositions(FloatCarried carried, FloatNode value, LongNode position, boolean inOrder) {
      this.carried = carried;
      this.value = value;
      this.position = position;
      this.inOrder = inOrder;
    }

    @Override
    void execute(int lanes) {
      float[] values = value.evaluate(lanes);
      long[] positions = position.evaluate(lanes);
      for (int lane = 0; lane < lanes; lane++) {
        carried.foldPosition(inOrder ? 0 : lane, values[lane], positions[lane]);
      }
    }
  }

  /** An addition of a product to each lane of a sum: two operations in one loop. */
  static final class AddProducts extends MicroStep {

    private final FloatCarried carried;
    private final FloatNode left;
    private final FloatNode right;

    AddProducts(FloatCarried carried, FloatNode left, FloatNode right) {
      this.carried = carried;
      this.left = left;
      this.right = right;
    }

    @Override
    void execute(int lanes) {
      float[] lefts = left.evaluate(lanes);
      FloatLanes.addProducts(carried.values(), lefts, right.evaluate(lanes), lanes);
    }
  }

  /** An addition to each lane of a sum: a value times a factor that is the same in all lanes. */
  static final class AddMultiples extends MicroStep {

    private final FloatCarried carried;
    private final FloatNode value;
    private final FloatNode factor;

    AddMultiples(FloatCarried carried, FloatNode value, FloatNode factor) {
      this.carried = carried;
      this.value = value;
      this.factor = factor;
    }

    @Override
    void execute(int lanes) {
      float one = factor.evaluate(1)[0];
      FloatLanes.addProducts(carried.values(), value.evaluate(lanes), one, lanes);
    }
  }
}
