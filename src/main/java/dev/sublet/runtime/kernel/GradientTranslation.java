package dev.sublet.runtime.kernel;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.sublet.program.Slot;
import dev.sublet.runtime.micro.op.Differentiate;
import dev.sublet.runtime.micro.op.Gradient;
import dev.sublet.runtime.micro.op.GradientRequest;
import dev.sublet.runtime.micro.op.MicroGraph;
import dev.sublet.runtime.micro.op.MicroGraphBuilder;
import dev.sublet.runtime.micro.op.MicroNode;
import dev.sublet.runtime.micro.op.MicroOp;
import dev.sublet.runtime.tensor.Tensor;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The translation of a gradient operator: the derivative of the forward operator's lowering.
 *
 * <p>The gradient operator must have the slots of the forward operator: inputs {@code X}, …, any of
 * the outputs {@code Out}, …, their gradients {@code Out@GRAD}, …, and as outputs {@code X@GRAD},
 * …. An input of which only the shape matters may have any elements. It may be missing if the
 * lowering {@linkplain LoweringCall#assumeLike derives} its shape from another input. The lowering
 * is given a call of the gradient operator, which has the attributes of the forward operator.
 * Missing output gradients count as zero. The gradient of an input that does not affect the result
 * is zero.
 */
final class GradientTranslation {

  private static final String SUFFIX = "@GRAD";

  private final OperatorCall call;
  private final MicroGraph graph;
  private final ImmutableSet<String> inputs;

  private GradientTranslation(OperatorCall call, LoweringCall forward) {
    this.call = call;
    this.graph = forward.build();
    this.inputs = forward.tensors().keySet();
  }

  /** Returns the derivative of a lowering for a call of the gradient operator. */
  static Translation of(Lowering lowering, OperatorCall call) {
    LoweringCall forward = new LoweringCall(forwardCall(call), call);
    lowering.lower(forward);
    return new GradientTranslation(call, forward).translate();
  }

  private static OperatorCall forwardCall(OperatorCall call) {
    ImmutableListMultimap.Builder<String, LodTensor> inputs = ImmutableListMultimap.builder();
    ImmutableSet.Builder<String> outputs = ImmutableSet.builder();
    for (String slot : call.inputs().keySet()) {
      if (slot.endsWith(SUFFIX)) {
        outputs.add(forwardSlot(slot));
      } else {
        inputs.putAll(slot, call.arguments(slot));
      }
    }
    return new OperatorCall(call.operation(), inputs.build(), outputs.build());
  }

  private static String forwardSlot(String slot) {
    return slot.substring(0, slot.length() - SUFFIX.length());
  }

  private Translation translate() {
    ImmutableMap<String, String> gradients = outputGradients();
    ImmutableSet<String> given =
        ImmutableSet.<String>builder().addAll(inputs).addAll(givenOutputs()).build();
    ImmutableSet<String> values =
        ImmutableSet.<String>builder().addAll(given).addAll(gradients.values()).build();
    ImmutableSet<String> wanted = wanted();
    if (gradients.isEmpty() || wanted.isEmpty()) {
      return new Translation(
          new MicroGraphBuilder(call.type()).build().emit(),
          ImmutableMap.of(),
          values,
          ImmutableMap.of(),
          zeros(ImmutableSet.of()));
    }
    Gradient gradient =
        Differentiate.gradient(graph, new GradientRequest(given, gradients.keySet(), wanted));
    Map<String, String> arguments = new LinkedHashMap<>();
    given.forEach(name -> arguments.put(name, name));
    gradient
        .outputGradients()
        .forEach((output, name) -> arguments.put(name, requireNonNull(gradients.get(output))));
    arguments.keySet().retainAll(gradient.requiredInputs());
    ImmutableMap<String, String> computed = computed(gradient);
    return new Translation(
        gradient.program(),
        ImmutableMap.copyOf(arguments),
        values,
        computed,
        zeros(computed.keySet()));
  }

  /**
   * Returns the floating-point outputs of the forward operator that are inputs of the gradient
   * operator.
   */
  private ImmutableSet<String> givenOutputs() {
    ImmutableSet.Builder<String> outputs = ImmutableSet.builder();
    call.inputs()
        .asMap()
        .forEach(
            (slot, arguments) -> {
              for (int i = 0; i < arguments.size(); i++) {
                if (isFloatingOutput(LoweringCall.argumentName(slot, i))) {
                  outputs.add(LoweringCall.argumentName(slot, i));
                }
              }
            });
    return outputs.build();
  }

  /** Maps each forward output whose gradient is given to the argument with this gradient. */
  private ImmutableMap<String, String> outputGradients() {
    ImmutableMap.Builder<String, String> gradients = ImmutableMap.builder();
    for (String slot : call.inputs().keySet()) {
      for (int i = 0; slot.endsWith(SUFFIX) && i < call.arguments(slot).size(); i++) {
        String output = LoweringCall.argumentName(forwardSlot(slot), i);
        if (isFloatingOutput(output)) {
          gradients.put(output, LoweringCall.argumentName(slot, i));
        }
      }
    }
    return gradients.buildOrThrow();
  }

  private boolean isFloatingOutput(String name) {
    return graph.outputs().containsKey(name)
        && graph.node(requireNonNull(graph.outputs().get(name))).type().isFloating();
  }

  /**
   * Returns the forward inputs whose gradients are outputs of the gradient operator.
   *
   * @throws OperatorException if such an input has integer elements: Paddle supports some of these
   *     gradients, but differentiation here supports only real numbers
   */
  private ImmutableSet<String> wanted() {
    ImmutableSet<String> taken = takenGradients().keySet();
    ImmutableSet.Builder<String> wanted = ImmutableSet.builder();
    for (MicroNode node : graph.nodes()) {
      if (node.op() instanceof MicroOp.Input && taken.contains(node.name())) {
        if (!node.type().isFloating()) {
          throw OperatorException.beyondLimits(
              "the gradient of " + node.name() + ", which is " + node.type() + ", is not computed");
        }
        wanted.add(node.name());
      }
    }
    return wanted.build();
  }

  /** Maps each forward input whose gradient is an output argument to this argument. */
  private ImmutableMap<String, String> takenGradients() {
    ImmutableMap.Builder<String, String> taken = ImmutableMap.builder();
    for (Slot slot : call.operation().outputSlots()) {
      for (int i = 0; slot.name().endsWith(SUFFIX) && i < slot.size(); i++) {
        taken.put(
            LoweringCall.argumentName(forwardSlot(slot.name()), i),
            LoweringCall.argumentName(slot.name(), i));
      }
    }
    return taken.buildOrThrow();
  }

  /** Maps each output argument that the program computes to the program's output. */
  private ImmutableMap<String, String> computed(Gradient gradient) {
    ImmutableMap<String, String> taken = takenGradients();
    ImmutableMap.Builder<String, String> computed = ImmutableMap.builder();
    gradient
        .inputGradients()
        .forEach((input, name) -> computed.put(requireNonNull(taken.get(input)), name));
    return computed.buildOrThrow();
  }

  private ImmutableMap<String, Tensor> zeros(ImmutableSet<String> computed) {
    ImmutableMap.Builder<String, Tensor> zeros = ImmutableMap.builder();
    for (Slot slot : call.operation().outputSlots()) {
      for (int i = 0; slot.name().endsWith(SUFFIX) && i < slot.size(); i++) {
        String name = LoweringCall.argumentName(slot.name(), i);
        ImmutableList<LodTensor> own = call.arguments(forwardSlot(slot.name()));
        if (!computed.contains(name) && i < own.size()) {
          Tensor input = own.get(i).tensor();
          zeros.put(name, Tensor.zeros(input.type(), input.shape()));
        }
      }
    }
    return zeros.buildOrThrow();
  }
}
