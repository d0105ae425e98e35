package dev.sublet.runtime.kernel.shape;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.ElementTypes;
import dev.sublet.runtime.kernel.ElementWriter;
import dev.sublet.runtime.kernel.IntegerArguments;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import java.util.Arrays;

/**
 * Operators that write or add elements at the indices in another tensor. Micro ops write every
 * element once, so these operators have Java code of their own. They process positions in the order
 * of the indices.
 */
public final class ScatterKernels {

  private ScatterKernels() {}

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    kernels.kernel("scatter", ScatterKernels::scatter);
    kernels.kernel("scatter_grad", ScatterKernels::scatterGradient);
    kernels.kernel("scatter_nd_add", ScatterKernels::scatterNdAdd);
    kernels.kernel("scatter_nd_add_grad", ScatterKernels::scatterNdAddGradient);
    kernels.kernel("set_value", ScatterKernels::setValue);
  }

  /** Replaces rows of X by updates; without {@code overwrite}, by the sum of all their updates. */
  private static OperatorResult scatter(OperatorCall call) {
    Tensor out = ElementWriter.duplicate(call.input("X"));
    Tensor ids = call.input("Ids");
    Tensor updates = call.input("Updates");
    int width = out.size(0) == 0 ? 0 : (int) (out.length() / out.size(0));
    boolean overwrites = call.flag("overwrite", true);
    if (!overwrites) {
      Tensor zeros = Tensor.zeros(out.type(), ImmutableLongArray.of(width));
      for (int i = 0; i < ids.length(); i++) {
        ElementWriter.copy(zeros, 0, out, row(ids.getLong(i), out) * width, width);
      }
    }
    for (int i = 0; i < ids.length(); i++) {
      int row = row(ids.getLong(i), out);
      if (overwrites) {
        ElementWriter.copy(updates, i * width, out, row * width, width);
      } else {
        add(updates, i * width, out, row * width, width);
      }
    }
    return OperatorResult.of("Out", out);
  }

  /**
   * Computes the gradients. Overwritten rows of X have none; their gradient goes to each of their
   * updates.
   */
  private static OperatorResult scatterGradient(OperatorCall call) {
    Tensor gradient = call.input("Out@GRAD");
    Tensor ids = call.input("Ids");
    Tensor ofX = ElementWriter.duplicate(gradient);
    Tensor ofUpdates = Tensor.zeros(gradient.type(), call.shape("Updates"));
    int width = gradient.size(0) == 0 ? 0 : (int) (gradient.length() / gradient.size(0));
    Tensor zeros = Tensor.zeros(gradient.type(), ImmutableLongArray.of(width));
    for (int i = 0; i < ids.length(); i++) {
      int row = row(ids.getLong(i), gradient);
      ElementWriter.copy(zeros, 0, ofX, row * width, width);
      ElementWriter.copy(gradient, row * width, ofUpdates, i * width, width);
    }
    return gradients(call, ofX, ofUpdates);
  }

  private static OperatorResult gradients(OperatorCall call, Tensor ofX, Tensor ofUpdates) {
    OperatorResult.Builder result = OperatorResult.builder();
    if (call.wants("X@GRAD")) {
      result.put("X@GRAD", ofX);
    }
    if (call.wants("Updates@GRAD")) {
      result.put("Updates@GRAD", ofUpdates);
    }
    return result.build();
  }

  private static int row(long id, Tensor tensor) {
    if (id < 0 || id >= tensor.size(0)) {
      throw new OperatorException("row " + id + " of " + tensor.size(0));
    }
    return (int) id;
  }

  private static void add(Tensor from, int fromIndex, Tensor to, int toIndex, int count) {
    ElementWriter.check(from, fromIndex, to, toIndex, count);
    for (int i = 0; i < count; i++) {
      if (to.type().isFloating()) {
        double sum = to.getDouble(toIndex + i) + from.getDouble(fromIndex + i);
        ElementWriter.put(to, toIndex + i, sum);
      } else {
        long sum = to.getLong(toIndex + i) + from.getLong(fromIndex + i);
        ElementWriter.put(to, toIndex + i, sum);
      }
    }
  }

  /**
   * Adds updates to X. The last axis of the index contains the indices along the first axes of X.
   */
  private static OperatorResult scatterNdAdd(OperatorCall call) {
    Tensor out = ElementWriter.duplicate(call.input("X"));
    Tensor index = call.input("Index");
    Tensor updates = call.input("Updates");
    int width = innerElements(index, out);
    int[] places = places(index, out, updates.length() / Math.max(width, 1));
    for (int row = 0; row < places.length; row++) {
      add(updates, row * width, out, places[row] * width, width);
    }
    return OperatorResult.of("Out", out);
  }

  private static OperatorResult scatterNdAddGradient(OperatorCall call) {
    Tensor gradient = call.input("Out@GRAD");
    Tensor index = call.input("Index");
    Tensor ofUpdates = Tensor.zeros(gradient.type(), call.shape("Updates"));
    int width = innerElements(index, gradient);
    int[] places = places(index, gradient, ofUpdates.length() / Math.max(width, 1));
    for (int row = 0; row < places.length; row++) {
      ElementWriter.copy(gradient, places[row] * width, ofUpdates, row * width, width);
    }
    return gradients(call, ElementWriter.duplicate(gradient), ofUpdates);
  }

  /** Returns the number of elements of the part that one row of an index denotes. */
  private static int innerElements(Tensor index, Tensor tensor) {
    int width = 1;
    for (int axis = (int) index.size(index.rank() - 1); axis < tensor.rank(); axis++) {
      width *= (int) tensor.size(axis);
    }
    return width;
  }

  /**
   * Returns the positions that the rows of an index denote; an index without columns denotes the
   * whole tensor.
   */
  private static int[] places(Tensor index, Tensor tensor, int rows) {
    int depth = (int) index.size(index.rank() - 1);
    if (index.length() < (long) rows * depth) {
      throw new OperatorException("index of shape " + index.shape() + " for " + rows + " updates");
    }
    int[] places = new int[rows];
    for (int row = 0; row < rows; row++) {
      long place = 0;
      for (int axis = 0; axis < depth; axis++) {
        long i = index.getLong(row * depth + axis);
        if (i < 0 || i >= tensor.size(axis)) {
          throw new OperatorException(
              "index " + i + " along axis " + axis + " of " + tensor.shape());
        }
        place = place * tensor.size(axis) + i;
      }
      places[row] = (int) place;
    }
    return places;
  }

  /** Replaces a slice of the input by a value, which repeats to fill the slice. */
  private static OperatorResult setValue(OperatorCall call) {
    Tensor out = ElementWriter.duplicate(call.input("Input"));
    long[] shape = out.shape().toArray();
    long[] axes = IntegerArguments.attribute(call, "axes");
    if (Arrays.stream(axes).anyMatch(axis -> axis < 0)) {
      throw new OperatorException(
          "a negative axis, for which Paddle 2.3 fails or replaces nothing; give the axis counted"
              + " from the front");
    }
    SliceRange[] ranges =
        SliceRange.of(
            axes,
            shape,
            IntegerArguments.of(call, "starts", "", "StartsTensorList"),
            IntegerArguments.of(call, "ends", "", "EndsTensorList"),
            IntegerArguments.of(call, "steps", "", "StepsTensorList"),
            /* lowestEnd= */ -1);
    long[] sliced = new long[shape.length];
    for (int axis = 0; axis < shape.length; axis++) {
      sliced[axis] = ranges[axis].extent();
    }
    Tensor value = value(call, out.type());
    long[] target = assignedShape(call, sliced);
    if (value.rank() > target.length) {
      throw new OperatorException("a value " + value.shape() + " for " + Arrays.toString(target));
    }
    int count = (int) Shapes.count(sliced);
    for (int i = 0; i < count; i++) {
      ElementWriter.copy(
          value, repeatedPlace(i, target, value), out, slicedPlace(i, ranges, shape), 1);
    }
    return OperatorResult.of("Out", out);
  }

  private static Tensor value(OperatorCall call, ElementType type) {
    if (call.has("ValueTensor")) {
      return call.input("ValueTensor");
    }
    ElementType given = ElementTypes.ofNumber(call.integer("dtype", -1), type);
    if (given != type) {
      throw new OperatorException("values of " + given + " for a tensor of " + type);
    }
    return AttributeValues.of(call, type, ImmutableLongArray.copyOf(call.integers("shape")));
  }

  /**
   * Returns the slice's shape for the broadcast of the value: without decreased axes, with new axes
   * of extent 1.
   */
  private static long[] assignedShape(OperatorCall call, long[] sliced) {
    long[] decreased = IntegerArguments.attribute(call, "decrease_axes");
    int[] gone = new int[decreased.length];
    for (int i = 0; i < gone.length; i++) {
      gone[i] = Shapes.axis(decreased[i], sliced.length);
    }
    long[] shape = Shapes.without(sliced, gone);
    for (long axis : IntegerArguments.attribute(call, "none_axes")) {
      int before = Shapes.axis(axis, shape.length + 1);
      long[] wider = new long[shape.length + 1];
      System.arraycopy(shape, 0, wider, 0, before);
      wider[before] = 1;
      System.arraycopy(shape, before, wider, before + 1, shape.length - before);
      shape = wider;
    }
    return shape;
  }

  /** Returns the position in the value of the slice's i-th element. */
  private static int repeatedPlace(int i, long[] target, Tensor value) {
    int place = 0;
    int stride = 1;
    long rest = i;
    for (int axis = 1; axis <= value.rank(); axis++) {
      long own = value.size(value.rank() - axis);
      long extent = axis <= target.length ? target[target.length - axis] : 1;
      if (own != 1 && own != extent) {
        throw new OperatorException("a value of " + value.shape() + " does not fill the slice");
      }
      place += own == 1 ? 0 : (int) (rest % extent) * stride;
      rest /= extent;
      stride *= (int) own;
    }
    return place;
  }

  /** Returns the position in the tensor of the slice's i-th element. */
  private static int slicedPlace(int i, SliceRange[] ranges, long[] shape) {
    long place = 0;
    long stride = 1;
    long rest = i;
    for (int axis = shape.length - 1; axis >= 0; axis--) {
      SliceRange range = ranges[axis];
      place += (range.start() + rest % range.extent() * range.stride()) * stride;
      rest /= range.extent();
      stride *= shape[axis];
    }
    return (int) place;
  }
}
