package dev.sublet.runtime.micro.op;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.Expression;
import dev.sublet.runtime.micro.ir.ExpressionTypes;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpressions;
import dev.sublet.runtime.micro.ir.ScalarDeclaration;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.micro.text.IndexParser;
import dev.sublet.runtime.tensor.ElementType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Builds a graph of micro ops, one value at a time.
 *
 * <p>For example, the product of two matrices:
 *
 * <pre>{@code
 * MicroGraphBuilder g = new MicroGraphBuilder("matmul");
 * MicroValue a = g.input("a", FLOAT32, 2);
 * MicroValue b = g.input("b", FLOAT32, 2);
 * MicroValue rows = g.reindex(a, List.of(a, b), "dA0, dB1, dA1[=dB0]", "i0, i2");
 * MicroValue columns = g.reindex(b, List.of(a, b), "dA0, dB1, dB0", "i2, i1");
 * MicroValue sum = g.reduce(SUM, g.binary(MULTIPLY, rows, columns), 2);
 * g.output("c", g.reindex(sum, List.of(a, b), "dA0, dB1", "i0, i1, 0"));
 * MicroGraph graph = g.build();
 * }</pre>
 *
 * <p>In shapes and indices the letters A, B, … stand for the listed operands, and {@code i0} for an
 * index of the result; {@code d(x, 1)} is an extent of the value named x. Every method throws
 * {@link IllegalArgumentException} for types and ranks that do not fit, and {@link
 * dev.sublet.runtime.micro.text.MicroSyntaxException} for malformed texts. Operands of equal rank
 * must have equal shapes; the run checks this, the builder does not.
 */
public final class MicroGraphBuilder {

  private final String name;
  private final List<ScalarDeclaration> parameters = new ArrayList<>();
  private final List<MicroNode> nodes = new ArrayList<>();
  private final Set<String> names = new LinkedHashSet<>();
  private final ExtentRequirements requirements = new ExtentRequirements();
  private final Map<String, MicroValue> outputs = new LinkedHashMap<>();

  /** Creates an empty graph with a name. */
  public MicroGraphBuilder(String name) {
    this.name = name;
  }

  /** Adds an input tensor whose extents are all decided by the caller. */
  public MicroValue input(String inputName, ElementType type, int rank) {
    ImmutableList.Builder<IndexExpression> shape = ImmutableList.builder();
    for (int axis = 0; axis < rank; axis++) {
      shape.add(new IndexExpression.AxisSize(inputName, axis));
    }
    return input(inputName, type, shape.build());
  }

  /**
   * Adds an input tensor with a shape; the run checks extents that are numbers.
   *
   * @param shape numbers, parameters, and extents of earlier inputs or of this one
   */
  public MicroValue input(
      String inputName, ElementType type, ImmutableList<IndexExpression> shape) {
    return add(inputName, new MicroOp.Input(), type, shape);
  }

  /** Adds a scalar parameter as a value. */
  public MicroValue parameter(String parameterName, ElementType type) {
    declare(parameterName, type);
    return parameterValue(parameterName);
  }

  /** Returns the value of a declared scalar parameter. */
  MicroValue parameterValue(String parameterName) {
    ElementType type = parameterType(parameterName);
    return add(
        freshName(),
        new MicroOp.Scalar(new Expression.ScalarParameter(parameterName)),
        type,
        ImmutableList.of());
  }

  /** Declares a scalar parameter for use in indices and shapes, {@code $stride}. */
  public void indexParameter(String parameterName) {
    declare(parameterName, ElementType.INT64);
  }

  /** Declares a scalar parameter. */
  void declare(String parameterName, ElementType type) {
    for (ScalarDeclaration parameter : parameters) {
      checkArgument(
          !parameter.name().equals(parameterName), "$%s is declared twice", parameterName);
    }
    parameters.add(new ScalarDeclaration(parameterName, type));
  }

  /** Returns the type of a declared scalar parameter. */
  ElementType parameterType(String parameterName) {
    for (ScalarDeclaration parameter : parameters) {
      if (parameter.name().equals(parameterName)) {
        return parameter.type();
      }
    }
    throw new IllegalArgumentException("$" + parameterName + " is not declared");
  }

  /** Adds a literal, rounded to a type; integer types truncate fractions. */
  public MicroValue scalar(ElementType type, double value) {
    Expression literal =
        type.isFloating()
            ? new Expression.FloatLiteral(type, type == ElementType.FLOAT32 ? (float) value : value)
            : new Expression.IntegerLiteral(type, (long) value);
    return add(freshName(), new MicroOp.Scalar(literal), type, ImmutableList.of());
  }

  /** Adds an integer literal without rounding. */
  public MicroValue scalar(ElementType type, long value) {
    if (type.isFloating()) {
      return scalar(type, (double) value);
    }
    return add(
        freshName(),
        new MicroOp.Scalar(new Expression.IntegerLiteral(type, value)),
        type,
        ImmutableList.of());
  }

  /**
   * Adds an INT64 tensor whose elements are {@code index}, a function of their own indices i0, i1,
   * ….
   */
  public MicroValue position(ImmutableList<IndexExpression> shape, IndexExpression index) {
    checkNoLoops(shape);
    return add(freshName(), new MicroOp.Position(index), ElementType.INT64, shape);
  }

  /** Adds a position tensor from texts that refer to the extents of some operands. */
  public MicroValue position(List<MicroValue> operands, String shape, String index) {
    ImmutableList<IndexExpression> extents = IndexParser.parseList(shape, shapeScope(operands));
    return position(extents, IndexParser.parse(index, indexScope(operands, extents.size())));
  }

  /**
   * Adds a reindex with 0 out of bounds. See {@link #reindex(MicroValue, ImmutableList,
   * ImmutableList, double)}.
   */
  public MicroValue reindex(
      MicroValue x, ImmutableList<IndexExpression> shape, ImmutableList<IndexExpression> at) {
    return reindex(x, shape, at, /* outside= */ 0);
  }

  /**
   * Adds the elements of a tensor in a new order and shape.
   *
   * @param shape the shape of the result
   * @param at an index for each axis of x
   * @param outside the element of the result where an index is out of bounds
   */
  public MicroValue reindex(
      MicroValue x,
      ImmutableList<IndexExpression> shape,
      ImmutableList<IndexExpression> at,
      double outside) {
    MicroNode node = node(x);
    checkArgument(!node.isScalar(), "a scalar has no elements to reindex");
    checkArgument(at.size() == node.rank(), "%s indices for %s axes", at.size(), node.rank());
    checkNoLoops(shape);
    return add(freshName(), new MicroOp.Reindex(x, at, outside), node.type(), shape);
  }

  /**
   * Adds a reindex from texts that refer to the extents of some operands, A for the first; 0 out of
   * bounds.
   */
  public MicroValue reindex(MicroValue x, List<MicroValue> operands, String shape, String at) {
    return reindex(x, operands, shape, at, /* outside= */ 0);
  }

  /** Adds a reindex from texts, with a value for elements out of bounds. */
  public MicroValue reindex(
      MicroValue x, List<MicroValue> operands, String shape, String at, double outside) {
    ImmutableList<IndexExpression> extents = IndexParser.parseList(shape, shapeScope(operands));
    return reindex(
        x, extents, IndexParser.parseList(at, indexScope(operands, extents.size())), outside);
  }

  /** Adds a function of each element. */
  public MicroValue unary(UnaryOperator operator, MicroValue x) {
    MicroNode node = node(x);
    ElementType type = ExpressionTypes.of(operator, node.type());
    return add(freshName(), new MicroOp.Unary(operator, x), type, node.shape());
  }

  /** Adds an elementwise function of two tensors of equal shapes, or of a tensor and a scalar. */
  public MicroValue binary(BinaryOperator operator, MicroValue x, MicroValue y) {
    ElementType type = ExpressionTypes.of(operator, node(x).type(), node(y).type());
    return add(
        freshName(),
        new MicroOp.Binary(operator, x, y),
        type,
        requirements.common(node(x).shape(), node(y).shape()));
  }

  /** Adds the elements of x where the condition is true, else those of y. */
  public MicroValue choose(MicroValue condition, MicroValue x, MicroValue y) {
    checkArgument(node(condition).type() == ElementType.BOOL, "the condition is not a boolean");
    checkArgument(
        node(x).type() == node(y).type(), "a choice of %s and %s", node(x).type(), node(y).type());
    ImmutableList<IndexExpression> shape = requirements.common(node(x).shape(), node(y).shape());
    shape = requirements.common(shape, node(condition).shape());
    return add(freshName(), new MicroOp.Ternary(condition, x, y), node(x).type(), shape);
  }

  /** Adds a conversion to another type. */
  public MicroValue cast(ElementType type, MicroValue x) {
    return add(freshName(), new MicroOp.Cast(x), type, node(x).shape());
  }

  /** Adds a reduction along some axes. The reduced axes remain, with extent 1. */
  public MicroValue reduce(Reduction reduction, MicroValue x, int... axes) {
    MicroNode node = node(x);
    checkArgument(!node.isScalar(), "a scalar has no axes");
    checkArgument(!node.type().isNarrow(), "%s of %s", reduction, node.type());
    checkArgument(
        node.type() != ElementType.BOOL
            || reduction == Reduction.MAXIMUM
            || reduction == Reduction.MINIMUM,
        "%s of booleans",
        reduction);
    int[] sorted = axes.clone();
    Arrays.sort(sorted);
    List<IndexExpression> shape = new ArrayList<>(node.shape());
    for (int i = 0; i < sorted.length; i++) {
      checkAxis(sorted[i], node);
      checkArgument(i == 0 || sorted[i] != sorted[i - 1], "axis %s twice", sorted[i]);
      shape.set(sorted[i], new IndexExpression.Constant(1));
    }
    checkArgument(sorted.length > 0, "no axes to reduce");
    return add(
        freshName(),
        new MicroOp.Reduce(reduction, ImmutableIntArray.copyOf(sorted), x),
        reduction.operator().isPosition() ? ElementType.INT64 : node.type(),
        ImmutableList.copyOf(shape));
  }

  /**
   * Adds the elements of x at the positions along an axis that an integer tensor contains. The
   * result has the shape of that tensor.
   */
  public MicroValue select(int axis, MicroValue x, MicroValue index) {
    checkAxis(axis, node(x));
    ElementType type = node(index).type();
    checkArgument(type == ElementType.INT32 || type == ElementType.INT64, "an index of %s", type);
    checkArgument(
        node(x).rank() == node(index).rank(),
        "an index of %s axes for %s",
        node(index).rank(),
        node(x).rank());
    for (int other = 0; other < node(x).rank(); other++) {
      if (other != axis) {
        requirements.equal(node(index).shape().get(other), node(x).shape().get(other));
      }
    }
    return add(
        freshName(), new MicroOp.Select(axis, x, index), node(x).type(), node(index).shape());
  }

  /**
   * Names a value. Throws IllegalArgumentException if the name is taken or if the value is an input
   * with another name.
   */
  MicroValue named(String valueName, MicroValue value) {
    MicroNode node = node(value);
    if (node.name().equals(valueName)) {
      return value;
    }
    checkArgument(!names.contains(valueName), "the name %s is taken", valueName);
    checkArgument(!(node.op() instanceof MicroOp.Input), "inputs keep their names");
    if (!outputs.containsKey(node.name())) {
      names.remove(node.name());
    }
    names.add(valueName);
    nodes.set(value.id(), new MicroNode(valueName, node.op(), node.type(), node.shape()));
    return value;
  }

  /** Declares a value an output, with an external name that must be unused. */
  public void output(String outputName, MicroValue value) {
    MicroNode node = node(value);
    checkArgument(!node.isScalar(), "output %s is a scalar", outputName);
    checkArgument(!outputs.containsKey(outputName), "output %s is there twice", outputName);
    boolean own = outputName.equals(node.name()) && !(node.op() instanceof MicroOp.Input);
    checkArgument(own || names.add(outputName), "the name %s is taken", outputName);
    outputs.put(outputName, value);
  }

  /** Returns the extents of a value. */
  public ImmutableList<IndexExpression> shape(MicroValue value) {
    return node(value).shape();
  }

  /** Returns the type of a value's elements. */
  public ElementType type(MicroValue value) {
    return node(value).type();
  }

  /** Returns the graph built so far. */
  public MicroGraph build() {
    return new MicroGraph(
        name,
        ImmutableList.copyOf(parameters),
        ImmutableList.copyOf(nodes),
        requirements.all(),
        ImmutableMap.copyOf(outputs));
  }

  /** Returns a value's node: its name and operation. */
  MicroNode node(MicroValue value) {
    return nodes.get(value.id());
  }

  private MicroValue add(
      String nodeName, MicroOp op, ElementType type, ImmutableList<IndexExpression> shape) {
    checkArgument(type.carrier() == type, "micro programs have no elements of %s", type);
    checkArgument(names.add(nodeName), "the name %s is taken", nodeName);
    nodes.add(new MicroNode(nodeName, op, type, shape));
    return new MicroValue(nodes.size() - 1);
  }

  private String freshName() {
    int number = nodes.size();
    while (names.contains("t" + number)) {
      number++;
    }
    return "t" + number;
  }

  private static void checkAxis(int axis, MicroNode node) {
    checkArgument(
        axis >= 0 && axis < node.rank(), "there is no axis %s of %s axes", axis, node.rank());
  }

  private static void checkNoLoops(ImmutableList<IndexExpression> shape) {
    for (IndexExpression extent : shape) {
      checkArgument(!IndexExpressions.mentionsLoop(extent), "a loop index in extent %s", extent);
    }
  }

  /** Returns the extents that the run must check to be equal. */
  ExtentRequirements requirements() {
    return requirements;
  }

  /** Returns the scope of names in a shape over some operands. */
  IndexParser.NameScope shapeScope(List<MicroValue> operands) {
    return new OperandScope(this, operands, OperandScope.NO_LOOPS);
  }

  /** Returns the scope of names in an index over some operands, for a result of a given rank. */
  IndexParser.NameScope indexScope(List<MicroValue> operands, int rank) {
    return new OperandScope(this, operands, rank);
  }

  /** Returns the node of a named tensor. */
  MicroNode tensor(String tensor) {
    for (MicroNode node : nodes) {
      if (node.name().equals(tensor) && !node.isScalar()) {
        return node;
      }
    }
    throw new IllegalArgumentException("there is no tensor " + tensor);
  }

  /** Returns the number of values. */
  int size() {
    return nodes.size();
  }
}
