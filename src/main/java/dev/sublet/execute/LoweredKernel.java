package dev.sublet.execute;

import static java.util.Objects.requireNonNull;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Maps;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.micro.fuse.SimplifyProgram;
import dev.sublet.micro.ir.MicroProgram;
import dev.sublet.micro.run.CompiledMicro;
import dev.sublet.program.Attribute;
import dev.sublet.program.Slot;
import dev.sublet.tensor.ElementType;
import dev.sublet.tensor.Tensor;
import java.util.Map;

/**
 * Runs an operator through its lowering: micro ops, simplified, in strips of lanes.
 *
 * <p>What was compiled for some attributes and shapes is kept for a while, since loops and layers
 * repeat them; the results do not depend on that. An input that the graph does not read may have
 * been looked at by the lowering, such as the limits of a slice: only if all of these are the same
 * tensors, the program is the same. That a lowering looks at no elements of what its graph reads is
 * not checked.
 */
final class LoweredKernel implements Kernel {

  /** Programs that are kept for each operator type. */
  private static final int KEPT = 64;

  private final Lowering lowering;
  private final Cache<Signature, Lowered> kept =
      CacheBuilder.newBuilder().maximumSize(KEPT).softValues().build();

  /** What decides the micro ops, besides elements that the lowering looks at. */
  private record Signature(
      ImmutableList<Attribute> attributes,
      ImmutableList<Shaped> inputs,
      ImmutableList<String> outputs) {}

  /** An argument of a slot as far as its lowering knows it. */
  private record Shaped(
      String slot,
      ElementType type,
      ImmutableLongArray shape,
      ImmutableList<ImmutableLongArray> lod) {}

  /**
   * What a lowering became.
   *
   * @param inputs the names of what the graph reads
   * @param others the other arguments by name
   */
  private record Lowered(
      CompiledMicro program, ImmutableSet<String> inputs, ImmutableMap<String, Tensor> others) {}

  LoweredKernel(Lowering lowering) {
    this.lowering = requireNonNull(lowering, "lowering");
  }

  @Override
  public OperatorResult run(OperatorCall call) {
    Signature signature = signature(call);
    ImmutableMap<String, Tensor> arguments = arguments(call);
    Lowered lowered = kept.getIfPresent(signature);
    if (lowered == null || !lowered.others().equals(others(arguments, lowered.inputs()))) {
      lowered = lower(call, arguments);
      kept.put(signature, lowered);
    }
    ImmutableMap<String, Tensor> inputs =
        ImmutableMap.copyOf(Maps.filterKeys(arguments, lowered.inputs()::contains));
    synchronized (lowered) {
      return result(call, lowered.program().run(inputs, ImmutableMap.of()));
    }
  }

  private Lowered lower(OperatorCall call, ImmutableMap<String, Tensor> arguments) {
    LoweringCall loweringCall = new LoweringCall(call);
    lowering.lower(loweringCall);
    MicroProgram program = SimplifyProgram.simplify(loweringCall.build().emit()).program();
    ImmutableSet<String> inputs = loweringCall.tensors().keySet();
    return new Lowered(CompiledMicro.compile(program), inputs, others(arguments, inputs));
  }

  private static ImmutableMap<String, Tensor> others(
      ImmutableMap<String, Tensor> arguments, ImmutableSet<String> inputs) {
    return ImmutableMap.copyOf(Maps.filterKeys(arguments, name -> !inputs.contains(name)));
  }

  private static Signature signature(OperatorCall call) {
    ImmutableList.Builder<Shaped> inputs = ImmutableList.builder();
    for (Map.Entry<String, LodTensor> input : call.inputs().entries()) {
      Tensor tensor = input.getValue().tensor();
      inputs.add(
          new Shaped(input.getKey(), tensor.type(), tensor.shape(), input.getValue().lod()));
    }
    ImmutableList.Builder<String> outputs = ImmutableList.builder();
    for (Slot slot : call.operation().outputSlots()) {
      outputs.add(slot.name() + " " + slot.size() + " " + call.wants(slot.name()));
    }
    return new Signature(call.operation().attributes(), inputs.build(), outputs.build());
  }

  /** The tensors of all arguments, by the names that a lowering gives them. */
  private static ImmutableMap<String, Tensor> arguments(OperatorCall call) {
    ImmutableMap.Builder<String, Tensor> tensors = ImmutableMap.builder();
    for (String slot : call.inputs().keySet()) {
      ImmutableList<LodTensor> arguments = call.arguments(slot);
      for (int i = 0; i < arguments.size(); i++) {
        tensors.put(LoweringCall.argumentName(slot, i), arguments.get(i).tensor());
      }
    }
    return tensors.buildOrThrow();
  }

  private static OperatorResult result(OperatorCall call, ImmutableMap<String, Tensor> outputs) {
    OperatorResult.Builder result = OperatorResult.builder();
    for (Slot slot : call.operation().outputSlots()) {
      for (int i = 0; i < slot.size(); i++) {
        Tensor output = outputs.get(LoweringCall.argumentName(slot.name(), i));
        if (output != null) {
          result.put(slot.name(), output);
        }
      }
    }
    return result.build();
  }
}
