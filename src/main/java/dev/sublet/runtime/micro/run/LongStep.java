package dev.sublet.runtime.micro.run;

import dev.sublet.runtime.micro.ir.ReduceOperator;

/** Statements with integers and booleans. */
final class LongStep {

  private LongStep() {}

  /** An assignment to elements at affine indices. */
  static final class Store extends MicroStep {

    private final Buffer buffer;
    private final RangeAddress address;
    private final LongNode value;

    Store(Buffer buffer, RangeAddress address, LongNode value) {
      this.buffer = buffer;
      this.address = address;
      this.value = value;
    }

    @Override
    void execute(int lanes) {
      long[] values = value.evaluate(lanes);
      address.resolve(lanes);
      LongLanes.store(buffer, address.first, address.stride(), values, address.from, address.to);
    }
  }

  /** An assignment to elements at indices of any kind. */
  static final class Scatter extends MicroStep {

    private final Buffer buffer;
    private final ScatterAddress address;
    private final LongNode value;

    Scatter(Buffer buffer, ScatterAddress address, LongNode value) {
      this.buffer = buffer;
      this.address = address;
      this.value = value;
    }

    @Override
    void execute(int lanes) {
      long[] values = value.evaluate(lanes);
      long[] offsets = address.resolve(lanes);
      for (int lane = 0; lane < lanes; lane++) {
        if (offsets[lane] >= 0) {
          LongLanes.put(buffer, (int) offsets[lane], values[lane]);
        }
      }
    }
  }

  /** An accumulation into elements at affine indices. */
  static final class Accumulate extends MicroStep {

    private final ReduceOperator operator;
    private final Buffer buffer;
    private final RangeAddress address;
    private final LongNode value;

    Accumulate(ReduceOperator operator, Buffer buffer, RangeAddress address, LongNode value) {
      this.operator = operator;
      this.buffer = buffer;
      this.address = address;
      this.value = value;
    }

    @Override
    void execute(int lanes) {
      long[] values = value.evaluate(lanes);
      address.resolve(lanes);
      LongLanes.accumulate(operator, buffer, address, values);
    }
  }

  /** An accumulation into elements at indices of any kind. */
  static final class AccumulateScattered extends MicroStep {

    private final ReduceOperator operator;
    private final Buffer buffer;
    private final ScatterAddress address;
    private final LongNode value;

    AccumulateScattered(
        ReduceOperator operator, Buffer buffer, ScatterAddress address, LongNode value) {
      this.operator = operator;
      this.buffer = buffer;
      this.address = address;
      this.value = value;
    }

    @Override
    void execute(int lanes) {
      long[] values = value.evaluate(lanes);
      long[] offsets = address.resolve(lanes);
      for (int lane = 0; lane < lanes; lane++) {
        int offset = (int) offsets[lane];
        if (offset >= 0) {
          long sum = LongLanes.get(buffer, offset);
          LongLanes.put(buffer, offset, LongLanes.fold(operator, buffer.type, sum, values[lane]));
        }
      }
    }
  }

  /** A fold of values into the lanes of a carried variable. */
  static final class Fold extends MicroStep {

    private final LongCarried carried;
    private final LongNode value;

    Fold(LongCarried carried, LongNode value) {
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

    private final LongCarried carried;
    private final LongNode value;

    FoldInOrder(LongCarried carried, LongNode value) {
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

    private final LongCarried carried;
    private final LongNode value;
    private final LongNode position;
    private final boolean inOrder;

    FoldPositions(LongCarried carried, LongNode value, LongNode position, boolean inOrder) {
      this.carried = carried;
      this.value = value;
      this.position = position;
      this.inOrder = inOrder;
    }

    @Override
    void execute(int lanes) {
      long[] values = value.evaluate(lanes);
      long[] positions = position.evaluate(lanes);
      for (int lane = 0; lane < lanes; lane++) {
        carried.foldPosition(inOrder ? 0 : lane, values[lane], positions[lane]);
      }
    }
  }
}
