package dev.sublet.runtime.micro.op;

import static dev.sublet.runtime.micro.op.LoopNests.indices;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.runtime.micro.ir.Access;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.CarriedVariable;
import dev.sublet.runtime.micro.ir.Expression;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.Arithmetic;
import dev.sublet.runtime.micro.ir.IndexExpression.Constant;
import dev.sublet.runtime.micro.ir.IndexExpression.LoopIndex;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.MicroFunction;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.ReduceOperator;
import dev.sublet.runtime.micro.ir.Statement;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.micro.ir.TensorDeclaration.Role;
import dev.sublet.runtime.tensor.ElementType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Lowers a graph to loop nests without fusion: one function, one tensor and one block per value.
 *
 * <p>Loop k of a block runs over axis k of the result. A reduction has the kept axes outside and
 * the reduced axes inside, each group in order, and folds into a carried variable of the innermost
 * kept loop. Scalars become literals where they are used. The tensor of an output's value is the
 * output itself; if the value is an input or has further output names, it is copied. O(ops × axes).
 */
final class EmitProgram {

  private final MicroGraph graph;
  private final List<TensorDeclaration> tensors = new ArrayList<>();
  private final List<MicroFunction> functions = new ArrayList<>();

  /** The name of each value's tensor; scalars have no entry. */
  private final Map<Integer, String> tensorNames = new LinkedHashMap<>();

  EmitProgram(MicroGraph graph) {
    this.graph = requireNonNull(graph, "graph");
    nameTensors();
  }

  /** Lowers a graph to a program. */
  static MicroProgram of(MicroGraph graph) {
    EmitProgram emit = new EmitProgram(graph);
    ImmutableSet<MicroValue> wanted = ImmutableSet.copyOf(graph.outputs().values());
    for (int id = 0; id < graph.nodes().size(); id++) {
      MicroNode node = graph.nodes().get(id);
      if (node.op() instanceof MicroOp.Input) {
        emit.declare(id, Role.INPUT);
      } else if (!node.isScalar()) {
        emit.compute(id, wanted.contains(new MicroValue(id)) ? Role.OUTPUT : Role.TEMPORARY);
      }
    }
    emit.copyOutputs();
    return new MicroProgram(
        graph.name(),
        graph.parameters(),
        ImmutableList.copyOf(emit.tensors),
        graph.requirements(),
        ImmutableList.copyOf(emit.functions));
  }

  /** Returns the name of a value's tensor. */
  String tensor(MicroValue value) {
    return requireNonNull(tensorNames.get(value.id()), "scalar");
  }

  private void nameTensors() {
    for (int id = 0; id < graph.nodes().size(); id++) {
      if (!graph.nodes().get(id).isScalar()) {
        tensorNames.put(id, graph.nodes().get(id).name());
      }
    }
    Set<MicroValue> named = new HashSet<>();
    graph
        .outputs()
        .forEach(
            (name, value) -> {
              if (named.add(value) && !(graph.node(value).op() instanceof MicroOp.Input)) {
                tensorNames.put(value.id(), name);
              }
            });
  }

  /** Declares the tensor of a value. */
  void declare(int id, Role role) {
    declare(tensor(new MicroValue(id)), role, graph.nodes().get(id));
  }

  /** Declares the tensor of a value and emits the function that computes it. */
  void compute(int id, Role role) {
    declare(id, role);
    functions.add(new MicroFunction(tensor(new MicroValue(id)), ImmutableList.of(block(id))));
  }

  /** Returns the declared tensors, in order of declaration. */
  ImmutableList<TensorDeclaration> tensors() {
    return ImmutableList.copyOf(tensors);
  }

  /** Returns the emitted functions, in order of emission. */
  ImmutableList<MicroFunction> functions() {
    return ImmutableList.copyOf(functions);
  }

  /** Declares a tensor with the type and shape of a value. */
  void declare(String name, Role role, MicroNode node) {
    tensors.add(new TensorDeclaration(name, role, node.type(), node.shape()));
  }

  /** Copies values to the outputs that are inputs or further names of one value. */
  private void copyOutputs() {
    graph
        .outputs()
        .forEach(
            (name, value) -> {
              if (!tensor(value).equals(name)) {
                MicroNode node = graph.node(value);
                declare(name, Role.OUTPUT, node);
                Statement copy =
                    new Statement.Assignment(
                        Access.of(name, indices(node.rank())), load(value, indices(node.rank())));
                functions.add(
                    new MicroFunction(
                        name, ImmutableList.of(LoopNests.pointwise(node.shape(), copy))));
              }
            });
  }

  private LoopBlock block(int id) {
    MicroNode node = graph.nodes().get(id);
    if (node.op() instanceof MicroOp.Reduce reduce) {
      return reduction(node, reduce, tensor(new MicroValue(id)));
    }
    Access target = Access.of(tensor(new MicroValue(id)), indices(node.rank()));
    return LoopNests.pointwise(node.shape(), new Statement.Assignment(target, element(node)));
  }

  /** Returns the expression for a value's element at i0, i1, …, for every op except reductions. */
  private Expression element(MicroNode node) {
    ImmutableList<IndexExpression> here = indices(node.rank());
    MicroOp op = node.op();
    if (op instanceof MicroOp.Reindex reindex) {
      return new Expression.Load(Access.of(tensor(reindex.x()), reindex.at()), reindex.outside());
    }
    if (op instanceof MicroOp.Position position) {
      return new Expression.IndexValue(position.index());
    }
    if (op instanceof MicroOp.Unary unary) {
      return new Expression.Unary(unary.operator(), load(unary.x(), here));
    }
    if (op instanceof MicroOp.Binary binary) {
      return new Expression.Binary(
          binary.operator(), load(binary.x(), here), load(binary.y(), here));
    }
    if (op instanceof MicroOp.Ternary ternary) {
      return new Expression.Conditional(
          load(ternary.condition(), here), load(ternary.x(), here), load(ternary.y(), here));
    }
    if (op instanceof MicroOp.Cast cast) {
      return new Expression.Cast(node.type(), load(cast.x(), here));
    }
    if (op instanceof MicroOp.Select select) {
      List<IndexExpression> at = new ArrayList<>(here);
      at.set(select.axis(), new IndexExpression.Element(tensor(select.index()), here));
      return load(select.x(), ImmutableList.copyOf(at));
    }
    throw new AssertionError(op);
  }

  private LoopBlock reduction(MicroNode node, MicroOp.Reduce reduce, String target) {
    MicroNode x = graph.node(reduce.x());
    List<Loop> kept = new ArrayList<>();
    List<Loop> folded = new ArrayList<>();
    for (Loop loop : LoopNests.over(x.shape())) {
      (reduce.axes().contains(loop.id()) ? folded : kept).add(loop);
    }
    ReduceOperator operator = reduce.reduction().operator();
    return LoopNests.folding(
        kept,
        folded,
        new CarriedVariable(/* id= */ 0, operator, x.type()),
        new Statement.Fold(
            /* carried= */ 0,
            load(reduce.x(), indices(x.rank())),
            operator.isPosition() ? Optional.of(flatIndex(reduce.axes(), x)) : Optional.empty()),
        new Statement.Assignment(
            Access.of(target, keptIndices(x.rank(), reduce.axes())), reduced(node, reduce, x)));
  }

  private static Expression reduced(MicroNode node, MicroOp.Reduce reduce, MicroNode x) {
    Expression carried = new Expression.CarriedValue(/* id= */ 0);
    if (reduce.reduction() != Reduction.MEAN) {
      return carried;
    }
    return new Expression.Binary(
        BinaryOperator.DIVIDE, carried, count(reduce.axes(), x, node.type()));
  }

  /** Returns the number of elements that are reduced to one, converted to a type. */
  static Expression count(ImmutableIntArray axes, MicroNode x, ElementType type) {
    IndexExpression count = x.shape().get(axes.get(0));
    for (int i = 1; i < axes.length(); i++) {
      count = new Arithmetic(IndexExpression.Operator.MULTIPLY, count, x.shape().get(axes.get(i)));
    }
    Expression value = new Expression.IndexValue(count);
    return type == ElementType.INT64 ? value : new Expression.Cast(type, value);
  }

  /** Returns the position of an element among the reduced elements, in row-major order. */
  private static IndexExpression flatIndex(ImmutableIntArray axes, MicroNode x) {
    IndexExpression flat = new LoopIndex(axes.get(0));
    for (int i = 1; i < axes.length(); i++) {
      flat =
          new Arithmetic(
              IndexExpression.Operator.ADD,
              new Arithmetic(IndexExpression.Operator.MULTIPLY, flat, x.shape().get(axes.get(i))),
              new LoopIndex(axes.get(i)));
    }
    return flat;
  }

  /** Returns the indices of a reduced element: the indices of x, with 0 along the reduced axes. */
  static ImmutableList<IndexExpression> keptIndices(int rank, ImmutableIntArray axes) {
    ImmutableList.Builder<IndexExpression> at = ImmutableList.builder();
    for (int axis = 0; axis < rank; axis++) {
      at.add(axes.contains(axis) ? new Constant(0) : new LoopIndex(axis));
    }
    return at.build();
  }

  /** Returns an operand's element; a tensor of rank 0 broadcasts to every shape. */
  Expression load(MicroValue value, ImmutableList<IndexExpression> at) {
    MicroNode node = graph.node(value);
    if (node.op() instanceof MicroOp.Scalar scalar) {
      return scalar.value();
    }
    ImmutableList<IndexExpression> indices = node.rank() == 0 ? ImmutableList.of() : at;
    return new Expression.Load(Access.of(tensor(value), indices), /* outside= */ 0);
  }
}
