package dev.sublet.runtime.micro.run;

import dev.sublet.runtime.micro.ir.ReduceOperator;

/** Statements about FLOAT64 values. */
final class DoubleStep {

  private DoubleStep() {}

  /** Elements at affine indices get values. */
  static final class Store extends MicroStep {

    private final Buffer buffer;
    private final RangeAddress address;
    private final DoubleNode value;

    Store(Buffer buffer, RangeAddress address, DoubleNode value) {
      this.buffer = buffer;
      this.address = address;
      this.value = value;
    }

    @Override
    void execute(int lanes) {
      double[] values = value.evaluate(lanes);
      address.resolve(lanes);
      DoubleLanes.store(
          buffer.doubles, address.first, address.stride(), values, address.from, address.to);
    }
  }

  /** Elements at indices of any kind get values. */
  static final class Scatter extends MicroStep {

    private final Buffer buffer;
    private final ScatterAddress address;
    private final DoubleNode value;

    Scatter(Buffer buffer, ScatterAddress address, DoubleNode value) {
      this.buffer = buffer;
      this.address = address;
      this.value = value;
    }

    @Override
    void execute(int lanes) {
      double[] values = value.evaluate(lanes);
      long[] offsets = address.resolve(lanes);
      for (int lane = 0; lane < lanes; lane++) {
        if (offsets[lane] >= 0) {
          buffer.doubles[(int) offsets[lane]] = values[lane];
        }
      }
    }
  }

  /** Elements at affine indices take values in. */
  static final class Accumulate extends MicroStep {

    private final ReduceOperator operator;
    private final Buffer buffer;
    private final RangeAddress address;
    private final DoubleNode value;
    private final double[] sums;

    /**
     * A statement.
     *
     * @param sums an array to compute in
     */
    Accumulate(
        ReduceOperator operator,
        Buffer buffer,
        RangeAddress address,
        DoubleNode value,
        double[] sums) {
      this.operator = operator;
      this.buffer = buffer;
      this.address = address;
      this.value = value;
      this.sums = sums;
    }

    @Override
    void execute(int lanes) {
      double[] values = value.evaluate(lanes);
      address.resolve(lanes);
      DoubleLanes.accumulate(
          operator,
          buffer.doubles,
          address.first,
          address.stride(),
          values,
          address.from,
          address.to,
          sums);
    }
  }

  /** Elements at indices of any kind take values in. */
  static final class AccumulateScattered extends MicroStep {

    private final ReduceOperator operator;
    private final Buffer buffer;
    private final ScatterAddress address;
    private final DoubleNode value;

    AccumulateScattered(
        ReduceOperator operator, Buffer buffer, ScatterAddress address, DoubleNode value) {
      this.operator = operator;
      this.buffer = buffer;
      this.address = address;
      this.value = value;
    }

    @Override
    void execute(int lanes) {
      double[] values = value.evaluate(lanes);
      long[] offsets = address.resolve(lanes);
      double[] elements = buffer.doubles;
      for (int lane = 0; lane < lanes; lane++) {
        int offset = (int) offsets[lane];
        if (offset >= 0) {
          elements[offset] = DoubleLanes.fold(operator, elements[offset], values[lane]);
        }
      }
    }
  }

  /** Each lane of a carried variable takes its value in. */
  static final class Fold extends MicroStep {

    private final DoubleCarried carried;
    private final DoubleNode value;

    Fold(DoubleCarried carried, DoubleNode value) {
      this.carried = carried;
      this.value = value;
    }

    @Override
    void execute(int lanes) {
      carried.fold(value.evaluate(lanes), lanes);
    }
  }

  /** A carried variable of a loop around the lane loop takes all lanes in. */
  static final class FoldInOrder extends MicroStep {

    private final DoubleCarried carried;
    private final DoubleNode value;

    FoldInOrder(DoubleCarried carried, DoubleNode value) {
      this.carried = carried;
      this.value = value;
    }

    @Override
    void execute(int lanes) {
      carried.foldInOrder(value.evaluate(lanes), lanes);
    }
  }

  /** A carried variable takes values and their positions in. */
  static final class FoldPositions extends MicroStep {

    private final DoubleCarried carried;
    private final DoubleNode value;
    private final LongNode position;
    private final boolean inOrder;

    FoldPositions(DoubleCarried carried, DoubleNode value, LongNode position, boolean inOrder) {
      this.carried = carried;
      this.value = value;
      this.position = position;
      this.inOrder = inOrder;
    }

    @Override
    void execute(int lanes) {
      double[] values = value.evaluate(lanes);
      long[] positions = position.evaluate(lanes);
      for (int lane = 0; lane < lanes; lane++) {
        carried.foldPosition(inOrder ? 0 : lane, values[lane], positions[lane]);
      }
    }
  }

  /** Each lane of a sum adds a product: two operations in one loop. */
  static final class AddProducts extends MicroStep {

    private final DoubleCarried carried;
    private final DoubleNode left;
    private final DoubleNode right;

    AddProducts(DoubleCarried carried, DoubleNode left, DoubleNode right) {
      this.carried = carried;
      this.left = left;
      this.right = right;
    }

    @Override
    void execute(int lanes) {
      double[] lefts = left.evaluate(lanes);
      DoubleLanes.addProducts(carried.values(), lefts, right.evaluate(lanes), lanes);
    }
  }

  /** Each lane of a sum adds a multiple of what is the same in all lanes. */
  static final class AddMultiples extends MicroStep {

    private final DoubleCarried carried;
    private final DoubleNode value;
    private final DoubleNode factor;

    AddMultiples(DoubleCarried carried, DoubleNode value, DoubleNode factor) {
      this.carried = carried;
      this.value = value;
      this.factor = factor;
    }

    @Override
    void execute(int lanes) {
      double one = factor.evaluate(1)[0];
      DoubleLanes.addProducts(carried.values(), value.evaluate(lanes), one, lanes);
    }
  }
}
