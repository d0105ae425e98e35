package dev.sublet.runtime.kernel.onnx.shape;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.ElementWriter;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.kernel.onnx.OnnxFamily;
import dev.sublet.runtime.kernel.shape.SelectionKernels;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Operators whose number of output elements depends on the elements of an input. */
public final class OnnxSelections {

  private OnnxSelections() {}

  /** Registers the kernels. */
  public static void register(OnnxFamily family) {
    family.kernel("Compress", OnnxSelections::compress);
    family.kernel("NonZero", OnnxSelections::nonZero);
    family.kernel("Unique", OnnxSelections::unique);
    family.kernel("com.microsoft.Unique", OnnxSelections::uniqueOfMicrosoft);
  }

  /**
   * A tensor as slices along an axis.
   *
   * @param outer the number of elements along the axes before the axis
   * @param extent the number of slices
   * @param inner the number of elements along the axes after the axis
   */
  private record Sliced(
      Tensor tensor, ImmutableLongArray shape, int axis, int outer, int extent, int inner) {

    /** Returns the slices along the attribute {@code axis}; single elements without it. */
    static Sliced of(OperatorCall call) {
      Tensor x = call.input("0");
      if (call.operation().attribute("axis").isEmpty()) {
        return new Sliced(x, ImmutableLongArray.of(x.length()), 0, 1, x.length(), 1);
      }
      int axis = Shapes.axis(call.integer("axis", 0), x.rank());
      long[] shape = x.shape().toArray();
      return new Sliced(
          x,
          x.shape(),
          axis,
          (int) Shapes.count(shape, 0, axis),
          (int) shape[axis],
          (int) Shapes.count(shape, axis + 1, shape.length));
    }

    int place(int before, int slice) {
      return (before * extent + slice) * inner;
    }

    /** Returns some of the slices, in the order of their numbers. */
    Tensor pick(int[] slices) {
      long[] picked = Shapes.with(shape.toArray(), axis, slices.length);
      Tensor out = Tensor.zeros(tensor.type(), ImmutableLongArray.copyOf(picked));
      int to = 0;
      for (int before = 0; before < outer; before++) {
        for (int slice : slices) {
          ElementWriter.copy(tensor, place(before, slice), out, to, inner);
          to += inner;
        }
      }
      return out;
    }

    /** Compares the elements of two slices in row-major order. */
    int compare(int left, int right) {
      for (int before = 0; before < outer; before++) {
        for (int i = 0; i < inner; i++) {
          int order = compareElements(place(before, left) + i, place(before, right) + i);
          if (order != 0) {
            return order;
          }
        }
      }
      return 0;
    }

    private int compareElements(int left, int right) {
      if (tensor.type().isFloating()) {
        // A zero equals a negative zero.
        return Double.compare(tensor.getDouble(left) + 0.0, tensor.getDouble(right) + 0.0);
      }
      return tensor.type() == ElementType.UINT64
          ? Long.compareUnsigned(tensor.getLong(left), tensor.getLong(right))
          : Long.compare(tensor.getLong(left), tensor.getLong(right));
    }
  }

  /** Keeps the slices, or the elements, for which a condition is true. */
  private static OperatorResult compress(OperatorCall call) {
    Sliced sliced = Sliced.of(call);
    // A condition can have more elements than there are slices.
    int[] places =
        Arrays.stream(SelectionKernels.places(call.input("1")))
            .filter(place -> place < sliced.extent())
            .toArray();
    return OperatorResult.of("0", sliced.pick(places));
  }

  /** Computes the indices of nonzero elements, one row per axis; a number has one axis. */
  private static OperatorResult nonZero(OperatorCall call) {
    Tensor given = call.input("0");
    Tensor x = given.rank() == 0 ? given.reshaped(ImmutableLongArray.of(1)) : given;
    Tensor rows = SelectionKernels.indices(x);
    int rank = x.rank();
    int count = (int) rows.size(0);
    long[] columns = new long[count * rank];
    for (int i = 0; i < columns.length; i++) {
      columns[i % rank * count + i / rank] = rows.getLong(i);
    }
    return OperatorResult.of("0", Tensor.of(ImmutableLongArray.of(rank, count), columns));
  }

  /**
   * Returns the groups of equal slices, each with the numbers of its slices in ascending order. O(n
   * log n) comparisons of n slices.
   *
   * @param isSorted whether groups are in the order of their elements, not of their first slices
   */
  private static List<int[]> groups(Sliced sliced, boolean isSorted) {
    Integer[] order = new Integer[sliced.extent()];
    Arrays.setAll(order, i -> i);
    // The sort is stable, so the numbers of equal slices ascend.
    Arrays.sort(order, sliced::compare);
    List<int[]> groups = new ArrayList<>();
    int start = 0;
    for (int i = 1; i <= order.length; i++) {
      if (i == order.length || sliced.compare(order[start], order[i]) != 0) {
        groups.add(Arrays.stream(order, start, i).mapToInt(Integer::intValue).toArray());
        start = i;
      }
    }
    if (!isSorted) {
      groups.sort(Comparator.comparingInt(group -> group[0]));
    }
    return groups;
  }

  private static OperatorResult unique(OperatorCall call) {
    Sliced sliced = Sliced.of(call);
    List<int[]> groups = groups(sliced, call.flag("sorted", true));
    return OperatorResult.builder()
        .put("0", sliced.pick(firsts(groups)))
        .put("1", list(Arrays.stream(firsts(groups)).asLongStream().toArray()))
        .put("2", list(numbers(groups, sliced.extent())))
        .put("3", list(counts(groups)))
        .build();
  }

  private static OperatorResult uniqueOfMicrosoft(OperatorCall call) {
    Sliced sliced = Sliced.of(call);
    List<int[]> groups = groups(sliced, /* isSorted= */ false);
    return OperatorResult.builder()
        .put("0", sliced.pick(firsts(groups)))
        .put("1", list(numbers(groups, sliced.extent())))
        .put("2", list(counts(groups)))
        .build();
  }

  private static int[] firsts(List<int[]> groups) {
    return groups.stream().mapToInt(group -> group[0]).toArray();
  }

  private static long[] counts(List<int[]> groups) {
    return groups.stream().mapToLong(group -> group.length).toArray();
  }

  /** Returns the number of the group of each slice. */
  private static long[] numbers(List<int[]> groups, int slices) {
    long[] numbers = new long[slices];
    for (int k = 0; k < groups.size(); k++) {
      for (int slice : groups.get(k)) {
        numbers[slice] = k;
      }
    }
    return numbers;
  }

  private static Tensor list(long... numbers) {
    return Tensor.of(ImmutableLongArray.of(numbers.length), numbers);
  }
}
