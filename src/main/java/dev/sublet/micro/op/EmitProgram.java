package dev.sublet.micro.op;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.micro.ir.Access;
import dev.sublet.micro.ir.BinaryOperator;
import dev.sublet.micro.ir.CarriedVariable;
import dev.sublet.micro.ir.Expression;
import dev.sublet.micro.ir.IndexExpression;
import dev.sublet.micro.ir.IndexExpression.Arithmetic;
import dev.sublet.micro.ir.IndexExpression.Constant;
import dev.sublet.micro.ir.IndexExpression.LoopIndex;
import dev.sublet.micro.ir.Loop;
import dev.sublet.micro.ir.LoopBlock;
import dev.sublet.micro.ir.MicroFunction;
import dev.sublet.micro.ir.MicroProgram;
import dev.sublet.micro.ir.Statement;
import dev.sublet.micro.ir.TensorDeclaration;
import dev.sublet.micro.ir.TensorDeclaration.Role;
import dev.sublet.tensor.ElementType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Turns a graph into loop nests: one function, tensor and block a value, nothing merged.
 *
 * <p>Loop k of a block is the index of the result's axis k. A reduction runs the kept axes outside
 * and the reduced ones inside, in their order, folding into a carried variable of the innermost
 * kept loop. Scalars become literals where they are used. A value wanted under its own name is the
 * output itself; under other names, or if it is an input, it is copied. O(ops × axes).
 */
final class EmitProgram {

  private final MicroGraph graph;
  private final List<TensorDeclaration> tensors = new ArrayList<>();
  private final List<MicroFunction> functions = new ArrayList<>();

  /** For each value the name of its tensor; scalars have none. */
  private final Map<Integer, String> tensorNames = new LinkedHashMap<>();

  EmitProgram(MicroGraph graph) {
    this.graph = requireNonNull(graph, "graph");
  }

  /** The program of a graph. */
  static MicroProgram of(MicroGraph graph) {
    EmitProgram emit = new EmitProgram(graph);
    emit.emitValues();
    emit.copyOutputs();
    return new MicroProgram(
        graph.name(),
        graph.parameters(),
        ImmutableList.copyOf(emit.tensors),
        graph.requirements(),
        ImmutableList.copyOf(emit.functions));
  }

  /** The tensor of a value. */
  String tensor(MicroValue value) {
    return requireNonNull(tensorNames.get(value.id()), "scalar");
  }

  /** Declares the tensors of all values and emits what computes them. */
  void emitValues() {
    Map<Integer, String> wanted = new LinkedHashMap<>();
    graph.outputs().forEach((name, value) -> wanted.putIfAbsent(value.id(), name));
    for (int id = 0; id < graph.nodes().size(); id++) {
      MicroNode node = graph.nodes().get(id);
      if (node.isScalar()) {
        continue;
      }
      boolean input = node.op() instanceof MicroOp.Input;
      boolean output = !input && wanted.containsKey(id);
      String name = output ? requireNonNull(wanted.get(id)) : node.name();
      tensorNames.put(id, name);
      declare(name, input ? Role.INPUT : output ? Role.OUTPUT : Role.TEMPORARY, node);
      if (!input) {
        functions.add(new MicroFunction(name, ImmutableList.of(block(id))));
      }
    }
  }

  private void declare(String name, Role role, MicroNode node) {
    tensors.add(new TensorDeclaration(name, role, node.type(), node.shape()));
  }

  /** Outputs that are inputs, or other names of one value. */
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
                    new MicroFunction(name, ImmutableList.of(pointwise(node.shape(), copy))));
              }
            });
  }

  private LoopBlock block(int id) {
    MicroNode node = graph.nodes().get(id);
    if (node.op() instanceof MicroOp.Reduce reduce) {
      return reduction(node, reduce, tensor(new MicroValue(id)));
    }
    Access target = Access.of(tensor(new MicroValue(id)), indices(node.rank()));
    return pointwise(node.shape(), new Statement.Assignment(target, element(node)));
  }

  /** What a value's element at i0, i1, … is, for every op but a reduction. */
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
      return new Expression.Choice(
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
    List<Loop> loops = new ArrayList<>();
    for (int axis = 0; axis < x.rank(); axis++) {
      if (!reduce.axes().contains(axis)) {
        loops.add(loop(axis, x.shape().get(axis)));
      }
    }
    if (loops.isEmpty()) {
      loops.add(loop(x.rank(), new Constant(1)));
    }
    CarriedVariable carried =
        new CarriedVariable(/* id= */ 0, reduce.reduction().operator(), x.type());
    Loop pivot = loops.remove(loops.size() - 1);
    loops.add(
        new Loop(
            pivot.id(),
            pivot.start(),
            pivot.end(),
            ImmutableList.of(carried),
            ImmutableList.of(
                new Statement.Assignment(
                    Access.of(target, keptIndices(x.rank(), reduce.axes())),
                    reduced(node, reduce, x)))));
    for (int i = 0; i < reduce.axes().length(); i++) {
      loops.add(loop(reduce.axes().get(i), x.shape().get(reduce.axes().get(i))));
    }
    Loop innermost = loops.remove(loops.size() - 1);
    Statement fold =
        new Statement.Fold(
            /* carried= */ 0,
            load(reduce.x(), indices(x.rank())),
            reduce.reduction().operator().isPosition()
                ? Optional.of(flatIndex(reduce.axes(), x))
                : Optional.empty());
    loops.add(withStatements(innermost, ImmutableList.of(fold)));
    return new LoopBlock(ImmutableList.copyOf(loops));
  }

  private static Expression reduced(MicroNode node, MicroOp.Reduce reduce, MicroNode x) {
    Expression carried = new Expression.CarriedValue(/* id= */ 0);
    if (reduce.reduction() != Reduction.MEAN) {
      return carried;
    }
    IndexExpression count = x.shape().get(reduce.axes().get(0));
    for (int i = 1; i < reduce.axes().length(); i++) {
      count =
          new Arithmetic(
              IndexExpression.Operator.MULTIPLY, count, x.shape().get(reduce.axes().get(i)));
    }
    return new Expression.Binary(
        BinaryOperator.DIVIDE,
        carried,
        node.type() == ElementType.INT64
            ? new Expression.IndexValue(count)
            : new Expression.Cast(node.type(), new Expression.IndexValue(count)));
  }

  /** The position of an element among the reduced ones, row by row. */
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

  private static ImmutableList<IndexExpression> keptIndices(int rank, ImmutableIntArray axes) {
    ImmutableList.Builder<IndexExpression> at = ImmutableList.builder();
    for (int axis = 0; axis < rank; axis++) {
      at.add(axes.contains(axis) ? new Constant(0) : new LoopIndex(axis));
    }
    return at.build();
  }

  /** An operand's element; a tensor without axes meets every shape. */
  Expression load(MicroValue value, ImmutableList<IndexExpression> at) {
    MicroNode node = graph.node(value);
    if (node.op() instanceof MicroOp.Scalar scalar) {
      return scalar.value();
    }
    ImmutableList<IndexExpression> indices = node.rank() == 0 ? ImmutableList.of() : at;
    return new Expression.Load(Access.of(tensor(value), indices), /* outside= */ 0);
  }

  /** A nest over a shape with one statement inside; over no axes one loop from 0 to 1. */
  static LoopBlock pointwise(ImmutableList<IndexExpression> shape, Statement statement) {
    List<Loop> loops = new ArrayList<>();
    for (int axis = 0; axis < shape.size(); axis++) {
      loops.add(loop(axis, shape.get(axis)));
    }
    if (loops.isEmpty()) {
      loops.add(loop(0, new Constant(1)));
    }
    Loop innermost = loops.remove(loops.size() - 1);
    loops.add(withStatements(innermost, ImmutableList.of(statement)));
    return new LoopBlock(ImmutableList.copyOf(loops));
  }

  /** i0, i1, … */
  static ImmutableList<IndexExpression> indices(int rank) {
    ImmutableList.Builder<IndexExpression> indices = ImmutableList.builder();
    for (int axis = 0; axis < rank; axis++) {
      indices.add(new LoopIndex(axis));
    }
    return indices.build();
  }

  private static Loop loop(int id, IndexExpression end) {
    return new Loop(id, new Constant(0), end, ImmutableList.of(), ImmutableList.of());
  }

  private static Loop withStatements(Loop loop, ImmutableList<Statement> statements) {
    ImmutableList<Statement> all =
        ImmutableList.<Statement>builder().addAll(loop.statements()).addAll(statements).build();
    return new Loop(loop.id(), loop.start(), loop.end(), loop.carried(), all);
  }
}
