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

/** The working state while one operator is lowered: its call, and the graph under construction. */
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
   * Creates the state for a lowering whose derivative is needed.
   *
   * @param call the gradient operator, with only the inputs of the forward operator
   * @param whole the gradient operator with all its inputs
   */
  LoweringCall(OperatorCall call, OperatorCall whole) {
    this.call = call;
    this.whole = whole;
    this.graph = new MicroGraphBuilder(call.type());
  }

  /** Returns the call, with attributes, shapes and the slots that are present. */
  public OperatorCall call() {
    return call;
  }

  /** Returns the graph to which the lowering adds micro ops. */
  public MicroGraphBuilder graph() {
    return graph;
  }

  /** Returns the first argument of an input slot as a value of the graph. */
  public MicroValue in(String slot) {
    return in(slot, 0);
  }

  /**
   * Returns an argument of an input slot as a value of the graph. Slot and position give its name,
   * as in {@link #argumentName}.
   */
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

  /** Whether {@link #in} has a value for a slot. */
  public boolean has(String slot) {
    return call.has(slot) || inputs.containsKey(argumentName(slot, 0));
  }

  /**
   * Declares that an input, if a gradient operator does not have it, has the type and shape of
   * another input. The derivative must not depend on the elements of the missing input. Does
   * nothing if the input is present.
   *
   * @param other a slot of the gradient operator, such as {@code Out@GRAD}
   */
  public void assumeLike(String slot, String other) {
    assume(slot, other, whole.shape(other));
  }

  /**
   * Declares that an input, if a gradient operator does not have it, has the type of another input
   * and a given shape.
   */
  public void assume(String slot, String other, ImmutableLongArray shape) {
    if (!has(slot)) {
      String name = argumentName(slot, 0);
      inputs.put(name, graph.input(name, whole.input(other).type(), extents(shape)));
    }
  }

  /** Sets the first argument of an output slot. */
  public void out(String slot, MicroValue value) {
    out(slot, 0, value);
  }

  /** Sets an argument of an output slot. The arguments of one slot must be set in order. */
  public void out(String slot, int argument, MicroValue value) {
    checkArgument(argument >= 0, "argument %s", argument);
    graph.output(outputName(slot, argument), value);
  }

  /** Returns the graph of the finished lowering. */
  MicroGraph build() {
    return graph.build();
  }

  /** Returns the tensors of the graph's inputs, by name. */
  ImmutableMap<String, Tensor> tensors() {
    return ImmutableMap.copyOf(tensors);
  }

  /**
   * Returns the name of an input argument in graphs, such as {@code X_0}. An {@code @} in the slot
   * name becomes {@code _}; a slot that is a number, as in ONNX, becomes {@code in1}.
   */
  public static String argumentName(String slot, int argument) {
    return (isNumber(slot) ? "in" : "") + slot.replace('@', '_') + "_" + argument;
  }

  /** Returns the name of an output argument in graphs; as for inputs, with {@code out1}. */
  public static String outputName(String slot, int argument) {
    return isNumber(slot) ? "out" + slot + "_" + argument : argumentName(slot, argument);
  }

  private static boolean isNumber(String slot) {
    return !slot.isEmpty() && Character.isDigit(slot.charAt(0));
  }

  /** Returns known extents as index expressions. */
  static ImmutableList<IndexExpression> extents(ImmutableLongArray shape) {
    ImmutableList.Builder<IndexExpression> extents = ImmutableList.builder();
    shape.forEach(extent -> extents.add(new IndexExpression.Constant(extent)));
    return extents.build();
  }
}
