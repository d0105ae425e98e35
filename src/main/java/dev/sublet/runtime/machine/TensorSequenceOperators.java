package dev.sublet.runtime.machine;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.kernel.Slices;
import dev.sublet.runtime.memory.Argument;
import dev.sublet.runtime.memory.Step;
import dev.sublet.runtime.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * ONNX's operators on sequences of tensors. A sequence is the array of its variable.
 *
 * <p>Source: the operator specifications of opset 11 and later.
 */
final class TensorSequenceOperators {

  private TensorSequenceOperators() {}

  /** {@code SequenceEmpty}. */
  static void empty(Step step, Machine machine) {
    step.output("0").cell().setArray(List.of());
  }

  /** {@code SequenceConstruct}: the inputs, in their order. */
  static void construct(Step step, Machine machine) {
    List<@Nullable LodTensor> elements = new ArrayList<>();
    for (Argument input : step.inputs()) {
      elements.add(step.read(input));
    }
    step.output("0").cell().setArray(elements);
  }

  /** {@code SequenceAt}: the element at a position; a negative one counts from the end. */
  static void at(Step step, Machine machine) {
    Argument sequence = step.input("0");
    int size = sequence.cell().array.size();
    LodTensor element = step.element(sequence, position(step, "1", size, size - 1));
    if (element == null) {
      throw new OperatorException("the sequence has no such element").at(sequence.name());
    }
    machine.countCopy(step, element);
    step.write("0", element);
  }

  /** {@code SequenceInsert}: inserts a tensor before a position, or at the end. */
  static void insert(Step step, Machine machine) {
    List<@Nullable LodTensor> elements = step.elements(step.input("0"));
    int size = elements.size();
    int position = step.inputOrNull("2") == null ? size : position(step, "2", size, size);
    elements.add(position, step.read("1"));
    step.output("0").cell().setArray(elements);
  }

  /** {@code SequenceErase}: removes the element at a position, or the last one. */
  static void erase(Step step, Machine machine) {
    List<@Nullable LodTensor> elements = step.elements(step.input("0"));
    int last = elements.size() - 1;
    if (last < 0) {
      throw new OperatorException("the sequence is empty").at(step.input("0").name());
    }
    elements.remove(
        step.inputOrNull("1") == null ? last : position(step, "1", elements.size(), last));
    step.output("0").cell().setArray(elements);
  }

  /** {@code SequenceLength}. */
  static void length(Step step, Machine machine) {
    long length = step.input("0").cell().array.size();
    step.write("0", LodTensor.of(Tensor.of(ImmutableLongArray.of(), length)));
  }

  /**
   * {@code SplitToSequence}: pieces of a tensor along an axis. Their sizes are the second input:
   * one for each piece, or one for all, of which the last piece may be smaller. Without it, each
   * piece is one place of the axis, with or without the axis.
   */
  static void split(Step step, Machine machine) {
    Tensor whole = step.read("0").tensor();
    int axis = Shapes.axis(number(step, "axis", 0), whole.rank());
    boolean keeps = step.inputOrNull("1") != null || number(step, "keepdims", 1) != 0;
    List<@Nullable LodTensor> pieces = new ArrayList<>();
    long begin = 0;
    for (long size : sizes(step, whole.size(axis))) {
      pieces.add(LodTensor.of(piece(whole, axis, begin, size, keeps)));
      begin += size;
    }
    step.output("0").cell().setArray(pieces);
  }

  private static List<Long> sizes(Step step, long extent) {
    Argument split = step.inputOrNull("1");
    Tensor given = split == null ? null : step.read(split).tensor();
    List<Long> sizes = new ArrayList<>();
    long rest = extent;
    if (given != null && given.rank() > 0) {
      for (int i = 0; i < given.length(); i++) {
        sizes.add(given.getLong(i));
        rest -= given.getLong(i);
      }
    } else {
      long each = given == null ? 1 : given.getLong(0);
      for (; each > 0 && rest > 0; rest -= sizes.get(sizes.size() - 1)) {
        sizes.add(Math.min(each, rest));
      }
    }
    if (rest != 0 || sizes.stream().anyMatch(size -> size < 0)) {
      throw new OperatorException("the axis has " + extent + " places, the pieces have " + sizes);
    }
    return sizes;
  }

  private static Tensor piece(Tensor whole, int axis, long begin, long size, boolean keeps) {
    List<Tensor> places = new ArrayList<>();
    for (long i = begin; i < begin + size; i++) {
      Tensor place = Slices.at(whole, axis, i);
      places.add(keeps ? ArrayOperators.withAxis(place, axis) : place);
    }
    if (!keeps) {
      return places.get(0);
    }
    long[] extents = whole.shape().toArray();
    extents[axis] = 0;
    return places.isEmpty()
        ? Tensor.zeros(whole.type(), ImmutableLongArray.copyOf(extents))
        : Slices.join(places, axis);
  }

  /**
   * {@code ConcatFromSequence}: joins the elements along an axis, or stacks them along a new one.
   */
  static void concat(Step step, Machine machine) {
    boolean isNew = number(step, "new_axis", 0) != 0;
    List<Tensor> parts = ArrayOperators.elements(step, step.input("0"));
    int axis = Shapes.axis(number(step, "axis", 0), parts.get(0).rank() + (isNew ? 1 : 0));
    List<Tensor> aligned = new ArrayList<>();
    for (Tensor part : parts) {
      aligned.add(isNew ? ArrayOperators.withAxis(part, axis) : part);
    }
    step.write("0", LodTensor.of(Slices.join(aligned, axis)));
  }

  /** The position in an input, from 0 to {@code last}; a negative one counts from the end. */
  private static int position(Step step, String slot, int size, int last) {
    Tensor tensor = step.read(slot).tensor();
    long given = tensor.length() == 1 ? tensor.getLong(0) : Long.MIN_VALUE;
    long position = given < 0 ? given + size : given;
    if (position < 0 || position > last) {
      throw new OperatorException(
          "position " + tensor + " is not one of a sequence of " + size + " elements");
    }
    return (int) position;
  }

  private static long number(Step step, String attribute, long otherwise) {
    return step.operation().attribute(attribute).map(a -> a.asLong(otherwise)).orElse(otherwise);
  }
}
