package dev.sublet.runtime.kernel;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.op.MicroGraph;
import dev.sublet.runtime.micro.op.MicroGraphBuilder;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.tensor.Tensor;
import java.util.LinkedHashMap;
import java.util.Map;

/** One operator being lowered: the call, and the graph that grows. */
public final class LoweringCall {

  private final OperatorCall call;
  private final OperatorCall whole;
  private final MicroGraphBuilder graph;
  private final Map<String, MicroValue> inputs = new LinkedHashMap<>();
  private final Map<String, Tensor> tensors = new LinkedHashMap<>();

  LoweringCall(OperatorCall call) {
    this(call, call);
  }

  /**
   * A lowering whose derivative is wanted.
   *
   * @param call the gradient operator with the inputs of its operator
   * @param whole the same with all that it has
   */
  LoweringCall(OperatorCall call, OperatorCall whole) {
    this.call = call;
    this.whole = whole;
    this.graph = new MicroGraphBuilder(call.type());
  }

  /** Attributes, shapes, and which slots are there. */
  public OperatorCall call() {
    return call;
  }

  /** Where the micro ops go. */
  public MicroGraphBuilder graph() {
    return graph;
  }

  /** The first argument of an input slot. */
  public MicroValue in(String slot) {
    return in(slot, 0);
  }

  /** An argument of an input slot, named after slot and position in the graph. */
  public MicroValue in(String slot, int argument) {
    String name = argumentName(slot, argument);
    MicroValue known = inputs.get(name);
    if (known != null) {
      return known;
    }
    ImmutableList<LodTensor> arguments = call.arguments(slot);
    if (argument >= arguments.size()) {
      throw new OperatorException("input " + slot + " has no argument " + argument);
    }
    Tensor tensor = arguments.get(argument).tensor();
    MicroValue value = graph.input(name, tensor.type(), extents(tensor.shape()));
    inputs.put(name, value);
    tensors.put(name, tensor);
    return value;
  }

  /** Whether {@link #in} gives something for a slot. */
  public boolean has(String slot) {
    return call.has(slot) || inputs.containsKey(argumentName(slot, 0));
  }

  /**
   * Says of an input, which a gradient operator need not have, that it is like another one: the
   * derivative must not depend on its elements. Does nothing where it is there.
   *
   * @param other a slot of the gradient operator, such as {@code Out@GRAD}
   */
  public void assumeLike(String slot, String other) {
    assume(slot, other, whole.shape(other));
  }

  /** The same with the type of another one, but a shape of its own. */
  public void assume(String slot, String other, ImmutableLongArray shape) {
    if (!has(slot)) {
      String name = argumentName(slot, 0);
      inputs.put(name, graph.input(name, whole.input(other).type(), extents(shape)));
    }
  }

  /** Says what the first argument of an output slot is. */
  public void out(String slot, MicroValue value) {
    out(slot, 0, value);
  }

  /** Says what an argument of an output slot is; the arguments of a slot come in order. */
  public void out(String slot, int argument, MicroValue value) {
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
