package dev.sublet.execute;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.micro.ir.IndexExpression;
import dev.sublet.micro.op.MicroGraph;
import dev.sublet.micro.op.MicroGraphBuilder;
import dev.sublet.micro.op.MicroValue;
import dev.sublet.tensor.Tensor;
import java.util.LinkedHashMap;
import java.util.Map;

/** One operator being lowered: the call, and the graph that grows. */
final class LoweringCall {

  private final OperatorCall call;
  private final MicroGraphBuilder graph;
  private final Map<String, MicroValue> inputs = new LinkedHashMap<>();
  private final Map<String, Tensor> tensors = new LinkedHashMap<>();

  LoweringCall(OperatorCall call) {
    this.call = call;
    this.graph = new MicroGraphBuilder(call.type());
  }

  /** Attributes, shapes, and which slots are there. */
  OperatorCall call() {
    return call;
  }

  /** Where the micro ops go. */
  MicroGraphBuilder graph() {
    return graph;
  }

  /** The first argument of an input slot. */
  MicroValue in(String slot) {
    return in(slot, 0);
  }

  /** An argument of an input slot, named after slot and position in the graph. */
  MicroValue in(String slot, int argument) {
    ImmutableList<LodTensor> arguments = call.arguments(slot);
    if (argument >= arguments.size()) {
      throw new OperatorException("input " + slot + " has no argument " + argument);
    }
    String name = argumentName(slot, argument);
    Tensor tensor = arguments.get(argument).tensor();
    MicroValue known = inputs.get(name);
    if (known != null) {
      return known;
    }
    MicroValue value = graph.input(name, tensor.type(), extents(tensor.shape()));
    inputs.put(name, value);
    tensors.put(name, tensor);
    return value;
  }

  /** Says what the first argument of an output slot is. */
  void out(String slot, MicroValue value) {
    out(slot, 0, value);
  }

  /** Says what an argument of an output slot is; the arguments of a slot come in order. */
  void out(String slot, int argument, MicroValue value) {
    checkArgument(argument >= 0, "argument %s", argument);
    graph.output(argumentName(slot, argument), value);
  }

  /** The graph of a finished lowering. */
  MicroGraph build() {
    return graph.build();
  }

  /** The tensors of the graph's inputs. */
  ImmutableMap<String, Tensor> tensors() {
    return ImmutableMap.copyOf(tensors);
  }

  /** The name of an argument in graphs: {@code X_0}; {@code @} becomes {@code _}. */
  static String argumentName(String slot, int argument) {
    return slot.replace('@', '_') + "_" + argument;
  }

  /** Known extents as expressions. */
  static ImmutableList<IndexExpression> extents(ImmutableLongArray shape) {
    ImmutableList.Builder<IndexExpression> extents = ImmutableList.builder();
    shape.forEach(extent -> extents.add(new IndexExpression.Constant(extent)));
    return extents.build();
  }
}
