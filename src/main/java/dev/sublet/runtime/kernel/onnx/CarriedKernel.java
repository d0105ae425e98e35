package dev.sublet.runtime.kernel.onnx;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.sublet.program.Slot;
import dev.sublet.runtime.kernel.ConvertedTranslation;
import dev.sublet.runtime.kernel.Kernel;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.kernel.Translation;
import dev.sublet.runtime.tensor.Carriers;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import java.util.Map;
import java.util.Optional;

/**
 * A kernel for all element types around a kernel for the types of micro programs.
 *
 * <pre>{@code
 * Exp of float16: float16 → float32, exp in float32, rounded to float16
 * Add of uint8:   uint8 → int32, sum in int32, wrapped to uint8
 * }</pre>
 *
 * <p>O(elements) besides the inner kernel for tensors that are converted; nothing for others.
 */
public final class CarriedKernel implements Kernel {

  /** How the inner kernel uses elements. */
  public enum Use {
    /** It takes the elements of all types as they are. */
    ANY,
    /** It moves elements, and may add and multiply integers: only their bits matter. */
    BITS,
    /** As BITS, and takes integers of 8 bits as they are. */
    MOVES,
    /** It computes with numbers; UINT64 numbers from 2^63 on are refused. */
    NUMBERS
  }

  /**
   * The types of outputs.
   *
   * @param input the input whose type some outputs have
   * @param slots these outputs; empty for all
   * @param attribute the attribute with the number of their type, which counts more than the input
   *     if it is present; or empty
   */
  public record OutputTypes(String input, ImmutableSet<String> slots, String attribute) {

    /** All outputs have the type in an attribute, or if it is absent the type of an input. */
    public static OutputTypes named(String attribute, int input) {
      return new OutputTypes(Integer.toString(input), ImmutableSet.of(), attribute);
    }

    /** All outputs have the type in an attribute, or if it is absent the type that is computed. */
    public static OutputTypes named(String attribute) {
      return new OutputTypes("", ImmutableSet.of(), attribute);
    }

    /** All outputs have the type of an input. */
    public static OutputTypes like(int input) {
      return new OutputTypes(Integer.toString(input), ImmutableSet.of(), "");
    }

    /** Some outputs have the type of an input; the others have the type that is computed. */
    public static OutputTypes like(int input, String... slots) {
      return new OutputTypes(Integer.toString(input), ImmutableSet.copyOf(slots), "");
    }

    /** All outputs have the type that is computed. */
    public static OutputTypes asComputed() {
      return new OutputTypes("", ImmutableSet.of(), "");
    }

    private Optional<ElementType> type(OperatorCall call) {
      return !attribute.isEmpty() && call.operation().attribute(attribute).isPresent()
          ? Optional.of(OnnxTypes.ofNumber(call.integer(attribute, 0)))
          : call.has(input) ? Optional.of(call.input(input).type()) : Optional.empty();
    }

    private boolean includes(String slot) {
      return slots.isEmpty() || slots.contains(slot);
    }
  }

  private final Kernel inner;
  private final Use use;
  private final OutputTypes outputs;

  /** Creates a kernel around a kernel for the types of micro programs. */
  public CarriedKernel(Kernel inner, Use use, OutputTypes outputs) {
    this.inner = inner;
    this.use = use;
    this.outputs = outputs;
  }

  @Override
  public boolean isLowered() {
    return inner.isLowered();
  }

  @Override
  public boolean takes(ElementType type) {
    return true;
  }

  @Override
  public Optional<Translation> translate(OperatorCall call) {
    return inner
        .translate(carried(call))
        .map(translation -> ConvertedTranslation.of(translation, types(call, translation)));
  }

  /** Returns the element types of a call's arguments by their names in a micro program. */
  private ImmutableMap<String, ElementType> types(OperatorCall call, Translation translation) {
    ImmutableMap.Builder<String, ElementType> types = ImmutableMap.builder();
    for (String slot : call.inputs().keySet()) {
      ImmutableList<LodTensor> arguments = call.arguments(slot);
      for (int i = 0; i < arguments.size(); i++) {
        types.put(LoweringCall.argumentName(slot, i), arguments.get(i).tensor().type());
      }
    }
    Optional<ElementType> type = outputs.type(call);
    for (Slot slot : call.operation().outputSlots()) {
      for (int i = 0; i < slot.size() && outputs.includes(slot.name()); i++) {
        String name = LoweringCall.outputName(slot.name(), i);
        if (type.isPresent() && translation.outputs().containsKey(name)) {
          types.put(name, type.get());
        }
      }
    }
    return types.buildOrThrow();
  }

  @Override
  public OperatorResult run(OperatorCall call) {
    OperatorResult computed = inner.run(carried(call));
    Optional<ElementType> type = outputs.type(call);
    if (type.isEmpty()) {
      return computed;
    }
    OperatorResult.Builder result = OperatorResult.builder();
    for (Map.Entry<String, OperatorResult.Output> output : computed.outputs().entries()) {
      Tensor tensor = output.getValue().tensor();
      boolean isRestored = outputs.includes(output.getKey());
      result.put(output.getKey(), isRestored ? Carriers.restored(tensor, type.get()) : tensor);
    }
    return result.build();
  }

  private OperatorCall carried(OperatorCall call) {
    if (use == Use.ANY) {
      return call;
    }
    ImmutableListMultimap.Builder<String, LodTensor> inputs = ImmutableListMultimap.builder();
    ImmutableMap.Builder<String, ElementType> types = ImmutableMap.builder();
    boolean isSame = true;
    for (Map.Entry<String, LodTensor> input : call.inputs().entries()) {
      Tensor tensor = input.getValue().tensor();
      Tensor carried = carried(tensor);
      isSame &= carried.type() == tensor.type();
      inputs.put(input.getKey(), LodTensor.of(carried));
      types.put(input.getKey(), tensor.type());
    }
    return isSame ? call : call.converted(inputs.build(), types.buildKeepingLast());
  }

  private Tensor carried(Tensor tensor) {
    if (tensor.type() == ElementType.UINT64 && use == Use.NUMBERS) {
      for (long number : tensor.longs()) {
        if (number < 0) {
          throw new OperatorException(
              "computes with uint64 numbers below 2^63 only, and "
                  + Long.toUnsignedString(number)
                  + " is none");
        }
      }
    }
    return tensor.type().isNarrow() && use != Use.MOVES
        ? widened(tensor)
        : Carriers.carried(tensor);
  }

  private static Tensor widened(Tensor tensor) {
    if (!tensor.hasElements()) {
      return Tensor.withoutElements(ElementType.INT32, tensor.shape());
    }
    int[] elements = new int[tensor.length()];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = (int) tensor.getLong(i);
    }
    return Tensor.of(tensor.shape(), elements);
  }
}
