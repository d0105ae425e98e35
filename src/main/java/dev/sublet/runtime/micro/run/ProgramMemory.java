package dev.sublet.runtime.micro.run;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableMap;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.ScalarDeclaration;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The memory that all nests of a program share while they run: arrays, floating-point parameters.
 */
final class ProgramMemory {

  private final Map<String, Buffer> buffers = new LinkedHashMap<>();
  private final Map<String, FloatNode.Constant> floats = new LinkedHashMap<>();
  private final Map<String, DoubleNode.Constant> doubles = new LinkedHashMap<>();

  ProgramMemory(MicroProgram program) {
    for (TensorDeclaration tensor : program.tensors()) {
      buffers.put(tensor.name(), new Buffer(tensor.type()));
    }
    for (ScalarDeclaration parameter : program.parameters()) {
      if (parameter.type() == ElementType.FLOAT32) {
        floats.put(parameter.name(), new FloatNode.Constant(0));
      } else if (parameter.type() == ElementType.FLOAT64) {
        doubles.put(parameter.name(), new DoubleNode.Constant(0));
      }
    }
  }

  Buffer buffer(String tensor) {
    return requireNonNull(buffers.get(tensor), tensor);
  }

  FloatNode floatParameter(String name) {
    return requireNonNull(floats.get(name), name);
  }

  DoubleNode doubleParameter(String name) {
    return requireNonNull(doubles.get(name), name);
  }

  /** Begins a run: sets the arrays and the parameters. */
  void set(Map<String, Tensor> tensors, ImmutableMap<String, Number> parameters) {
    buffers.forEach((name, buffer) -> buffer.set(requireNonNull(tensors.get(name))));
    floats.forEach(
        (name, node) -> node.set((float) requireNonNull(parameters.get(name)).doubleValue()));
    doubles.forEach((name, node) -> node.set(requireNonNull(parameters.get(name)).doubleValue()));
  }

  /** Ends a run: drops the arrays. */
  void clear() {
    buffers.values().forEach(Buffer::clear);
  }
}
