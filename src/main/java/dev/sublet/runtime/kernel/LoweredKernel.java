package dev.sublet.runtime.kernel;

import static java.util.Objects.requireNonNull;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Maps;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.program.Attribute;
import dev.sublet.program.Slot;
import dev.sublet.runtime.micro.fuse.SimplifyProgram;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.micro.run.CompiledMicro;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import java.util.Map;

/**
 * Runs an operator through its translation: micro ops, simplified, in strips of lanes.
 *
 * <p>What was compiled for some attributes and shapes is kept for a while, since loops and layers
 * repeat them; the results do not depend on that. An input that is no value of the program may have
 * been looked at by the lowering, such as the limits of a slice: only if all of these are the same
 * tensors, the program is the same. That a lowering looks at no elements of what its graph reads is
 * not checked.
 */
public final class LoweredKernel implements Kernel {

  /** Programs that are kept for each operator type. */
  private static final int KEPT = 64;

  private final Translation.Rule rule;
  private final Cache<Signature, Compiled> kept =
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
   * A translation, ready to run.
   *
   * @param shapes what the program's inputs are declared as; a single number may come in another
   *     rank
   * @param others the arguments that decided the program, by name
   */
  private record Compiled(
      Translation translation,
      CompiledMicro program,
      ImmutableMap<String, ImmutableLongArray> shapes,
      ImmutableMap<String, Tensor> others) {}

  LoweredKernel(Translation.Rule rule) {
    this.rule = requireNonNull(rule, "rule");
  }

  @Override
  public OperatorResult run(OperatorCall call) {
    Signature signature = signature(call);
    ImmutableMap<String, Tensor> arguments = arguments(call);
    Compiled compiled = kept.getIfPresent(signature);
    if (compiled == null
        || !compiled.others().equals(others(arguments, compiled.translation().values()))) {
      compiled = compile(call, arguments);
      kept.put(signature, compiled);
    }
    ImmutableMap.Builder<String, Tensor> inputs = ImmutableMap.builder();
    for (Map.Entry<String, String> input : compiled.translation().inputs().entrySet()) {
      Tensor argument = requireNonNull(arguments.get(input.getValue()));
      ImmutableLongArray shape = requireNonNull(compiled.shapes().get(input.getKey()));
      inputs.put(
          input.getKey(), argument.shape().equals(shape) ? argument : argument.reshaped(shape));
    }
    synchronized (compiled) {
      return result(
          call,
          compiled.translation(),
          compiled.program().run(inputs.buildOrThrow(), ImmutableMap.of()));
    }
  }

  private Compiled compile(OperatorCall call, ImmutableMap<String, Tensor> arguments) {
    Translation translation = rule.translate(call);
    MicroProgram program = SimplifyProgram.simplify(translation.program()).program();
    ImmutableMap.Builder<String, ImmutableLongArray> shapes = ImmutableMap.builder();
    for (String input : translation.inputs().keySet()) {
      shapes.put(input, extents(translation.program().tensor(input)));
    }
    return new Compiled(
        translation,
        CompiledMicro.compile(program),
        shapes.buildOrThrow(),
        others(arguments, translation.values()));
  }

  private static ImmutableLongArray extents(TensorDeclaration tensor) {
    ImmutableLongArray.Builder extents = ImmutableLongArray.builder();
    for (IndexExpression extent : tensor.shape()) {
      extents.add(((IndexExpression.Constant) extent).value());
    }
    return extents.build();
  }

  private static ImmutableMap<String, Tensor> others(
      ImmutableMap<String, Tensor> arguments, ImmutableSet<String> values) {
    return ImmutableMap.copyOf(Maps.filterKeys(arguments, name -> !values.contains(name)));
  }

  private static Signature signature(OperatorCall call) {
    ImmutableList.Builder<Shaped> inputs = ImmutableList.builder();
    for (Map.Entry<String, LodTensor> input : call.inputs().entries()) {
      Tensor tensor = input.getValue().tensor();
      inputs.add(new Shaped(input.getKey(), tensor.type(), tensor.shape(), input.getValue().lod()));
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

  private static OperatorResult result(
      OperatorCall call, Translation translation, ImmutableMap<String, Tensor> outputs) {
    OperatorResult.Builder result = OperatorResult.builder();
    for (Slot slot : call.operation().outputSlots()) {
      for (int i = 0; i < slot.size(); i++) {
        String name = LoweringCall.argumentName(slot.name(), i);
        String computed = translation.outputs().get(name);
        Tensor output = computed == null ? translation.zeros().get(name) : outputs.get(computed);
        if (output != null) {
          result.put(slot.name(), output);
        }
      }
    }
    return result.build();
  }
}
