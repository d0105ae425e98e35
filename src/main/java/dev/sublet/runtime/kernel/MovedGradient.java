package dev.sublet.runtime.kernel;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.tensor.Tensor;
import java.util.Arrays;

/**
 * The gradient operator of a kernel that only moves, repeats or drops elements of X.
 *
 * <p>The forward kernel runs on the numbers of the elements instead of their values. Each element
 * of its result is then the number of the element of X that it was copied from:
 *
 * <pre>{@code
 * X = [5, 7], Out = [7, 7, 5]    forward on [0, 1] returns [1, 1, 0]
 * Out@GRAD = [a, b, c]           X@GRAD = [c, a + b]
 * }</pre>
 *
 * <p>Gradients for the same element are added in the order of the result.
 */
public final class MovedGradient implements Kernel {

  private static final long NOWHERE = -1;

  private final Kernel forward;
  private final String padding;

  private MovedGradient(Kernel forward, String padding) {
    this.forward = requireNonNull(forward, "forward");
    this.padding = requireNonNull(padding, "padding");
  }

  /** Returns the gradient of a kernel from X to Out. */
  public static Kernel of(Kernel forward) {
    return new MovedGradient(forward, "");
  }

  /**
   * Returns the gradient of a kernel that also copies elements from another slot. The gradient of
   * that slot is not computed.
   */
  public static Kernel ofPadded(Kernel forward, String padding) {
    return new MovedGradient(forward, padding);
  }

  @Override
  public OperatorResult run(OperatorCall call) {
    ImmutableList<LodTensor> arguments = call.arguments("X");
    Tensor gradient = call.input("Out@GRAD");
    if (!gradient.type().isFloating()) {
      throw new OperatorException("a gradient of " + gradient.type());
    }
    Tensor[] results = new Tensor[arguments.size()];
    int[] begins = new int[arguments.size()];
    ImmutableListMultimap.Builder<String, LodTensor> inputs = ImmutableListMultimap.builder();
    int elements = 0;
    for (int i = 0; i < results.length; i++) {
      LodTensor x = arguments.get(i);
      begins[i] = elements;
      results[i] = Tensor.zeros(gradient.type(), x.tensor().shape());
      inputs.put("X", new LodTensor(numbers(x.tensor().shape(), elements), x.lod()));
      elements += results[i].length();
    }
    for (String slot : call.inputs().keySet()) {
      if (!slot.equals("X") && !slot.equals(padding) && !slot.endsWith("@GRAD")) {
        inputs.putAll(slot, call.arguments(slot));
      }
    }
    if (!padding.isEmpty()) {
      inputs.put(padding, LodTensor.of(Tensor.of(ImmutableLongArray.of(1), NOWHERE)));
    }
    OperatorCall moved = new OperatorCall(call.operation(), inputs.build(), ImmutableSet.of("Out"));
    Tensor origins = forward.run(moved).outputs().get("Out").get(0).tensor();
    if (origins.length() != gradient.length()) {
      throw new OperatorException(
          "Out@GRAD has the shape " + gradient.shape() + ", but Out has " + origins.shape());
    }
    for (int i = 0; i < origins.length(); i++) {
      if (origins.longs()[i] != NOWHERE) {
        addTo(results, begins, (int) origins.longs()[i], gradient.getDouble(i));
      }
    }
    OperatorResult.Builder result = OperatorResult.builder();
    for (int i = 0; i < results.length; i++) {
      result.put("X@GRAD", new LodTensor(results[i], arguments.get(i).lod()));
    }
    return result.build();
  }

  private static Tensor numbers(ImmutableLongArray shape, int first) {
    long[] numbers = new long[Tensor.length(shape)];
    Arrays.setAll(numbers, i -> first + i);
    return Tensor.of(shape, numbers);
  }

  private static void addTo(Tensor[] results, int[] begins, int origin, double gradient) {
    int argument = results.length - 1;
    while (begins[argument] > origin) {
      argument--;
    }
    Tensor result = results[argument];
    int place = origin - begins[argument];
    ElementWriter.put(result, place, result.getDouble(place) + gradient);
  }
}
