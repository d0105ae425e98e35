package dev.sublet.runtime.machine;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.program.Attribute;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Slices;
import dev.sublet.runtime.kernel.Sums;
import dev.sublet.runtime.memory.Argument;
import dev.sublet.runtime.memory.Step;
import dev.sublet.runtime.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Operators on arrays of tensors.
 *
 * <p>Source: {@code tensor_array_read_write_op.cc}, {@code lod_array_length_op.cc}, {@code
 * tensor_array_to_tensor_op.cc}, {@code fill_zeros_like_op.h} of Paddle 2.3.
 */
final class ArrayOperators {

  private static final int MAX_LENGTH = 1 << 24;

  private ArrayOperators() {}

  /** {@code write_to_array}: sets an element. The array grows as needed. */
  static void write(Step step, Machine machine) {
    LodTensor tensor = step.read("X");
    int index = index(step);
    machine.countCopy(step, tensor);
    step.setElement(step.output("Out"), index, tensor);
  }

  /**
   * {@code read_from_array}: gets an element. If the array has no such element, the output becomes
   * zeros with the type and shape of {@code X_W}; without {@code X_W} the output keeps its value.
   */
  static void read(Step step, Machine machine) {
    LodTensor element = step.element(step.input("X"), index(step));
    Argument like = step.inputOrNull("X_W");
    if (element == null && like != null) {
      element = zerosLike(step.read(like));
    }
    if (element != null) {
      machine.countCopy(step, element);
      step.write("Out", element);
    }
  }

  private static int index(Step step) {
    Tensor index = step.read("I").tensor();
    long value = index.length() == 1 ? index.getLong(0) : -1;
    if (value < 0 || value >= MAX_LENGTH) {
      throw new OperatorException("input I is " + index + ", which is not an index of an array");
    }
    return (int) value;
  }

  /** {@code lod_array_length}: returns the number of elements of an array. */
  static void length(Step step, Machine machine) {
    long length = step.input("X").cell().array.size();
    step.write("Out", LodTensor.of(Tensor.of(ImmutableLongArray.of(1), length)));
  }

  /**
   * {@code tensor_array_to_tensor}: joins all elements along an existing axis, or stacks them along
   * a new one.
   */
  static void toTensor(Step step, Machine machine) {
    List<Tensor> parts = elements(step, step.input("X"));
    boolean stacks = step.operation().flag("use_stack");
    int axis = axis(step, parts, stacks);
    int[] extents = new int[parts.size()];
    List<Tensor> aligned = new ArrayList<>();
    for (int i = 0; i < extents.length; i++) {
      Tensor part = stacks ? withAxis(parts.get(i), axis) : parts.get(i);
      extents[i] = (int) part.size(axis);
      aligned.add(part);
    }
    step.write("Out", LodTensor.of(Slices.join(aligned, axis)));
    if (step.outputOrNull("OutIndex") != null) {
      Tensor index = Tensor.of(ImmutableLongArray.of(extents.length), extents);
      step.write("OutIndex", LodTensor.of(index));
    }
  }

  /** {@code concat} of an array: joins its elements along an axis. */
  static void concat(Step step, Machine machine) {
    List<Tensor> parts = elements(step, step.input("X"));
    step.write("Out", LodTensor.of(Slices.join(parts, axis(step, parts, false))));
  }

  private static int axis(Step step, List<Tensor> parts, boolean isNew) {
    int rank = parts.get(0).rank() + (isNew ? 1 : 0);
    long axis = step.operation().attribute("axis").map(a -> a.asLong(0)).orElse(0L);
    if (axis < -rank || axis >= rank) {
      throw new OperatorException("there is no axis " + axis + " among " + rank);
    }
    return (int) (axis < 0 ? axis + rank : axis);
  }

  /** Returns a tensor with one more axis, of one place. */
  static Tensor withAxis(Tensor tensor, int axis) {
    ImmutableLongArray shape = tensor.shape();
    return tensor.reshaped(
        ImmutableLongArray.builder()
            .addAll(shape.subArray(0, axis))
            .add(1)
            .addAll(shape.subArray(axis, shape.length()))
            .build());
  }

  /**
   * The elements of an array, which have one rank.
   *
   * @throws OperatorException if there are none, one has no value, or the ranks differ
   */
  static List<Tensor> elements(Step step, Argument array) {
    List<Tensor> parts = new ArrayList<>();
    for (LodTensor element : step.elements(array)) {
      if (element == null) {
        throw new OperatorException("element " + parts.size() + " of the array has no value")
            .at(array.name());
      }
      int rank = element.tensor().rank();
      if (!parts.isEmpty() && rank != parts.get(0).rank()) {
        throw new OperatorException(
                "element "
                    + parts.size()
                    + " of the array has rank "
                    + rank
                    + ", and element 0 has rank "
                    + parts.get(0).rank())
            .at(array.name());
      }
      parts.add(element.tensor());
    }
    if (parts.isEmpty()) {
      throw new OperatorException("the array is empty").at(array.name());
    }
    return parts;
  }

  /**
   * {@code slice} of an array: copies one element, or a range of elements if the output is an
   * array.
   */
  static void slice(Step step, Machine machine) {
    Argument input = step.input("Input");
    List<@Nullable LodTensor> array = step.elements(input);
    long begin = clamp(limit(step, "starts", "StartsTensor", input), array.size());
    long end = clamp(limit(step, "ends", "EndsTensor", input), array.size());
    Argument output = step.output("Out");
    if (output.cell().isArray()) {
      step.setElements(output, array.subList((int) begin, (int) Math.max(begin, end)));
      return;
    }
    LodTensor element = begin < array.size() ? array.get((int) begin) : null;
    if (element == null) {
      throw new OperatorException("the array has no element " + begin).at(input.name());
    }
    machine.countCopy(step, element);
    step.write(output, element);
  }

  private static long limit(Step step, String attribute, String slot, Argument input) {
    Argument tensor = step.inputOrNull(slot);
    if (tensor == null) {
      tensor = step.inputOrNull(slot + "List");
    }
    if (tensor != null) {
      return step.read(tensor).tensor().getLong(0);
    }
    return step.operation()
        .attribute(attribute)
        .map(Attribute::longs)
        .filter(longs -> longs.size() == 1)
        .map(longs -> longs.get(0))
        .orElseThrow(
            () ->
                new OperatorException("attribute " + attribute + " must be one number")
                    .at(input.name()));
  }

  private static long clamp(long limit, int size) {
    return Math.max(0, Math.min(limit < 0 ? limit + size : limit, size));
  }

  /** {@code sum} of arrays: adds them element by element. */
  static void sum(Step step, Machine machine) {
    List<@Nullable LodTensor> total = new ArrayList<>();
    for (Argument input : step.inputs("X")) {
      Sums.addArray(step.elements(input), total);
    }
    step.setElements(step.output("Out"), total);
  }

  /** {@code fill_zeros_like} of an array: makes an array of zeros like its elements. */
  static void zeros(Step step, Machine machine) {
    List<@Nullable LodTensor> zeros = new ArrayList<>();
    for (LodTensor element : step.elements(step.input("X"))) {
      zeros.add(element == null ? null : zerosLike(element));
    }
    step.setElements(step.output("Out"), zeros);
  }

  private static LodTensor zerosLike(LodTensor like) {
    return new LodTensor(Tensor.zeros(like.tensor().type(), like.tensor().shape()), like.lod());
  }
}
