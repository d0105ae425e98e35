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
 * A gradient operator as the derivative of its operator's lowering.
 *
 * <p>It fits where the gradient operator has the slots of its operator: inputs {@code X}, …, any of
 * the outputs {@code Out}, …, their gradients {@code Out@GRAD}, …, and for outputs {@code X@GRAD},
 * …; inputs that only give a shape may hold anything, or be missing if the lowering {@linkplain
 * LoweringCall#assumeLike knows} it. The lowering sees a call of the gradient operator, whose
 * attributes are those of its operator. Output gradients that are missing count as zero; so do
 * gradients of what the result does not depend on.
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

  /** The derivative of a lowering, for a call of the gradient operator. */
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

  /** Floating-point outputs of the operator that its gradient operator is given. */
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

  /** For each output of the operator whose gradient is given, the argument that it is. */
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
   * Inputs of the operator whose gradients somebody takes.
   *
   * @throws OperatorException if one holds integers: Paddle computes with some of these, and
   *     differentiation here knows real numbers only
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

  /** For each input of the operator whose gradient is an output argument, that argument. */
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

  /** For each output argument that the program computes, the program's output. */
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
