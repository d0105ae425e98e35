package dev.sublet.runtime.micro.fuse;

import static dev.sublet.runtime.tensor.ElementType.FLOAT32;
import static dev.sublet.runtime.tensor.ElementType.INT64;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.ir.Access;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.CarriedVariable;
import dev.sublet.runtime.micro.ir.Expression;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.Arithmetic;
import dev.sublet.runtime.micro.ir.IndexExpression.AxisSize;
import dev.sublet.runtime.micro.ir.IndexExpression.Constant;
import dev.sublet.runtime.micro.ir.IndexExpression.Element;
import dev.sublet.runtime.micro.ir.IndexExpression.LoopIndex;
import dev.sublet.runtime.micro.ir.IndexExpression.Operator;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.MicroFunction;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.ReduceOperator;
import dev.sublet.runtime.micro.ir.Requirement;
import dev.sublet.runtime.micro.ir.ScalarDeclaration;
import dev.sublet.runtime.micro.ir.Statement;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.micro.ir.TensorDeclaration.Role;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * Random loop nests that no graph gives: resets and accumulations, several writers of a tensor,
 * permuted loops, statements at every depth, partial sums, indices that read tensors, and so all
 * dependences that a wrong fusion would break.
 *
 * <p>Each block takes its loops from the same few labels, often those of the block before in
 * another order, and reads and writes the same few tensors, so that many fusions nearly fit.
 */
final class RandomNests {

  private static final String X = "x0_012_float32";
  private static final String Y = "x1_01_float32";
  private static final String Z = "x2_10_float32";
  private static final String K = "x3_0_int64";

  private final Random random;
  private final List<TensorDeclaration> tensors = new ArrayList<>();
  private final List<List<Integer>> labels = new ArrayList<>();
  private List<Integer> lastLoops = List.of();

  private RandomNests(Random random) {
    this.random = random;
  }

  static MicroProgram program(Random random) {
    return new RandomNests(random).build();
  }

  private MicroProgram build() {
    input(X, 0, 1, 2);
    input(Y, 0, 1);
    input(Z, 1, 0);
    input(K, 0);
    int count = 2 + random.nextInt(4);
    for (int i = 0; i < count; i++) {
      List<Integer> axes = someLabels(random.nextInt(3));
      boolean output = i == count - 1 || random.nextInt(3) == 0;
      declare((output ? "out" : "t") + i, output ? Role.OUTPUT : Role.TEMPORARY, axes);
    }
    ImmutableList.Builder<MicroFunction> functions = ImmutableList.builder();
    int blocks = 2 + random.nextInt(4);
    for (int i = 0; i < blocks; i++) {
      functions.add(new MicroFunction("f" + i, ImmutableList.of(block())));
    }
    return new MicroProgram(
        "random",
        ImmutableList.of(new ScalarDeclaration("p", INT64)),
        ImmutableList.copyOf(tensors),
        ImmutableList.of(
            new Requirement(new AxisSize(X, 0), new AxisSize(Y, 0)),
            new Requirement(new AxisSize(Y, 1), new AxisSize(X, 1)),
            new Requirement(new AxisSize(Z, 0), new AxisSize(X, 1)),
            new Requirement(new AxisSize(Y, 0), new AxisSize(Z, 1)),
            new Requirement(new AxisSize(K, 0), new AxisSize(Z, 1))),
        functions.build());
  }

  private void input(String name, Integer... axes) {
    ImmutableList.Builder<IndexExpression> shape = ImmutableList.builder();
    for (int axis = 0; axis < axes.length; axis++) {
      shape.add(new AxisSize(name, axis));
    }
    tensors.add(
        new TensorDeclaration(name, Role.INPUT, name.equals(K) ? INT64 : FLOAT32, shape.build()));
    labels.add(List.of(axes));
  }

  private void declare(String name, Role role, List<Integer> axes) {
    ImmutableList.Builder<IndexExpression> shape = ImmutableList.builder();
    axes.forEach(label -> shape.add(extent(label)));
    tensors.add(new TensorDeclaration(name, role, FLOAT32, shape.build()));
    labels.add(axes);
  }

  private List<Integer> someLabels(int rank) {
    List<Integer> axes = new ArrayList<>();
    for (int axis = 0; axis < rank; axis++) {
      axes.add(random.nextInt(9) == 0 ? RandomGraphs.ONE : random.nextInt(RandomGraphs.LABELS));
    }
    return axes;
  }

  private IndexExpression extent(int label) {
    return switch (label) {
      case 0 -> pick(new AxisSize(X, 0), new AxisSize(Y, 0), new AxisSize(Z, 1));
      case 1 -> pick(new AxisSize(X, 1), new AxisSize(Y, 1), new AxisSize(Z, 0));
      case 2 -> new AxisSize(X, 2);
      default -> new Constant(1);
    };
  }

  @SafeVarargs
  private <T> T pick(T... options) {
    return options[random.nextInt(options.length)];
  }

  private LoopBlock block() {
    List<Integer> loopLabels = new ArrayList<>(lastLoops);
    if (lastLoops.isEmpty() || random.nextInt(3) == 0) {
      loopLabels = someLabels(1 + random.nextInt(3));
    } else if (random.nextBoolean()) {
      Collections.shuffle(loopLabels, random);
    }
    if (random.nextInt(4) == 0 && loopLabels.size() < 4) {
      loopLabels.add(random.nextInt(loopLabels.size() + 1), random.nextInt(RandomGraphs.LABELS));
    }
    if (random.nextInt(4) == 0 && loopLabels.size() > 1) {
      loopLabels.remove(loopLabels.size() - 1);
    }
    lastLoops = loopLabels;
    List<Integer> ids = new ArrayList<>();
    for (int id = 0; id < loopLabels.size(); id++) {
      ids.add(id);
    }
    if (random.nextInt(4) == 0) {
      Collections.shuffle(ids, random);
    }
    return nest(loopLabels, ids);
  }

  private LoopBlock nest(List<Integer> loopLabels, List<Integer> ids) {
    int depth = loopLabels.size();
    int carriedAt = depth > 1 && random.nextInt(2) == 0 ? random.nextInt(depth - 1) : -1;
    ReduceOperator operator = pick(ReduceOperator.SUM, ReduceOperator.SUM, ReduceOperator.PRODUCT);
    ImmutableList.Builder<Loop> loops = ImmutableList.builder();
    for (int place = 0; place < depth; place++) {
      List<Integer> around = loopLabels.subList(0, place + 1);
      boolean innermost = place == depth - 1;
      List<Statement> statements = new ArrayList<>();
      boolean mayRead = carriedAt >= 0 && place >= carriedAt;
      if (innermost || place == carriedAt || random.nextInt(5) == 0) {
        int count = random.nextInt(8) == 0 ? 2 : 1;
        for (int i = 0; i < count; i++) {
          statements.add(statement(around, ids, mayRead && (!innermost || random.nextInt(3) == 0)));
        }
      }
      if (random.nextInt(4) == 0) {
        passOn(statements, around, ids, mayRead);
      }
      if (innermost && carriedAt >= 0) {
        Statement fold = new Statement.Fold(0, value(around, ids, false), Optional.empty());
        statements.add(random.nextInt(statements.size() + 1), fold);
        if (random.nextBoolean()) {
          statements.removeIf(statement -> !(statement instanceof Statement.Fold));
        }
      }
      loops.add(
          new Loop(
              ids.get(place),
              new Constant(random.nextInt(12) == 0 ? 1 : 0),
              place > 0 && random.nextInt(25) == 0
                  ? new Arithmetic(Operator.ADD, new LoopIndex(ids.get(place - 1)), new Constant(1))
                  : extent(loopLabels.get(place)),
              place == carriedAt
                  ? ImmutableList.of(new CarriedVariable(0, operator, FLOAT32))
                  : ImmutableList.of(),
              ImmutableList.copyOf(statements)));
    }
    return new LoopBlock(loops.build());
  }

  /** Values stored and read again in the same iteration, with something else in between. */
  private void passOn(
      List<Statement> statements, List<Integer> around, List<Integer> ids, boolean mayRead) {
    Access between = access(4 + random.nextInt(tensors.size() - 4), around, ids);
    Expression value = value(around, ids, mayRead);
    statements.add(new Statement.Assignment(between, value));
    if (random.nextBoolean()) {
      statements.add(statement(around, ids, mayRead));
    }
    Expression read = new Expression.Load(between, /* outside= */ 0);
    if (random.nextBoolean()) {
      read = new Expression.Binary(BinaryOperator.MULTIPLY, read, read);
    }
    statements.add(
        new Statement.Assignment(
            access(4 + random.nextInt(tensors.size() - 4), around, ids), read));
  }

  private Statement statement(List<Integer> around, List<Integer> ids, boolean mayReadCarried) {
    int target = 4 + random.nextInt(tensors.size() - 4);
    Access access = access(target, around, ids);
    Expression value = value(around, ids, mayReadCarried);
    return random.nextInt(3) == 0
        ? new Statement.Accumulation(
            access, pick(ReduceOperator.SUM, ReduceOperator.MAXIMUM), value)
        : new Statement.Assignment(access, value);
  }

  private Expression value(List<Integer> around, List<Integer> ids, boolean mayReadCarried) {
    if (mayReadCarried && random.nextInt(4) > 0) {
      return random.nextBoolean()
          ? new Expression.CarriedValue(0)
          : new Expression.Binary(
              BinaryOperator.ADD, new Expression.CarriedValue(0), load(around, ids));
    }
    return switch (random.nextInt(8)) {
      case 0 -> new Expression.FloatLiteral(FLOAT32, random.nextInt(3));
      case 1 -> new Expression.Unary(UnaryOperator.TANH, load(around, ids));
      case 2, 3 ->
          new Expression.Binary(
              pick(BinaryOperator.ADD, BinaryOperator.MULTIPLY),
              load(around, ids),
              load(around, ids));
      default -> load(around, ids);
    };
  }

  /** Of an input or, rather, of one of the tensors that are written. */
  private Expression load(List<Integer> around, List<Integer> ids) {
    int tensor =
        random.nextInt(3) == 0 ? random.nextInt(3) : 4 + random.nextInt(tensors.size() - 4);
    return new Expression.Load(access(tensor, around, ids), pick(0.0, 0.0, 0.25));
  }

  private Access access(int tensor, List<Integer> around, List<Integer> ids) {
    ImmutableList.Builder<IndexExpression> at = ImmutableList.builder();
    List<Integer> used = new ArrayList<>();
    for (int label : labels.get(tensor)) {
      at.add(index(label, around, ids, used));
    }
    return Access.of(tensors.get(tensor).name(), at.build());
  }

  /** Nearly always a loop of the axis' label, each once. */
  private IndexExpression index(
      int label, List<Integer> around, List<Integer> ids, List<Integer> used) {
    int place = random.nextInt(around.size());
    for (int other = 0; other < around.size(); other++) {
      if (around.get(other) == label && !used.contains(other)) {
        place = other;
      }
    }
    used.add(place);
    IndexExpression loop = new LoopIndex(ids.get(place));
    return switch (random.nextInt(20)) {
      case 0 -> new Arithmetic(Operator.ADD, loop, new Constant(random.nextInt(3) - 1));
      case 1 ->
          new Arithmetic(
              Operator.SUBTRACT,
              new Arithmetic(Operator.SUBTRACT, extent(label), new Constant(1)),
              loop);
      case 2 -> new Constant(random.nextInt(2));
      case 3 -> new Element(K, ImmutableList.of(loop));
      case 4 ->
          new Arithmetic(Operator.ADD, loop, new LoopIndex(ids.get(random.nextInt(around.size()))));
      default -> loop;
    };
  }
}
