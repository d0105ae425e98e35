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
import java.util.Optional;

/**
 * A kernel that translates an operator to micro ops, simplifies them, and runs them in strips of
 * lanes.
 *
 * <p>Compiled programs are cached by attributes and shapes, because loops and layers repeat them.
 * The results do not depend on the cache. A lowering may read the elements of an input that is not
 * an input of its graph, such as the limits of a slice. A cached program is therefore used only if
 * all such inputs are equal. A lowering must not read the elements of an input of its graph, which
 * is not checked.
 */
public final class LoweredKernel implements Kernel {

  /** The number of programs in the cache of each operator type. */
  private static final int KEPT = 64;

  private final Translation.Rule rule;
  private final Cache<CallSignature, Compiled> kept =
      CacheBuilder.newBuilder().maximumSize(KEPT).softValues().build();

  /**
   * The cache key: everything that determines the micro ops, except elements that the lowering
   * reads.
   */
  private record CallSignature(
      ImmutableList<Attribute> attributes,
      ImmutableList<Shaped> inputs,
      ImmutableList<String> outputs) {}

  /** The properties of an input argument that a lowering may use. */
  private record Shaped(
      String slot,
      ElementType type,
      ElementType writtenType,
      ImmutableLongArray shape,
      ImmutableList<ImmutableLongArray> lod) {}

  /**
   * A translation with its compiled program.
   *
   * @param shapes the declared shapes of the program's inputs; an input with a single element may
   *     have another rank
   * @param others the arguments whose elements determine the program, by name
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
  public boolean isLowered() {
    return true;
  }

  @Override
  public Optional<Translation> translate(OperatorCall call) {
    return Optional.of(rule.translate(call));
  }

  @Override
  public OperatorResult run(OperatorCall call) {
    CallSignature signature = signature(call);
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
    for (String output : translation.outputs().values()) {
      // Checked before the next step, which takes long for a loop per extent.
      Shapes.checkRank(translation.program().tensor(output).shape().size());
    }
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

  private static CallSignature signature(OperatorCall call) {
    ImmutableList.Builder<Shaped> inputs = ImmutableList.builder();
    for (Map.Entry<String, LodTensor> input : call.inputs().entries()) {
      Tensor tensor = input.getValue().tensor();
      inputs.add(
          new Shaped(
              input.getKey(),
              tensor.type(),
              call.writtenType(input.getKey()),
              tensor.shape(),
              input.getValue().lod()));
    }
    ImmutableList.Builder<String> outputs = ImmutableList.builder();
    for (Slot slot : call.operation().outputSlots()) {
      outputs.add(slot.name() + " " + slot.size() + " " + call.wants(slot.name()));
    }
    return new CallSignature(call.operation().attributes(), inputs.build(), outputs.build());
  }

  /** Returns the tensors of all arguments, by their names in a lowering. */
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
        String name = LoweringCall.outputName(slot.name(), i);
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
