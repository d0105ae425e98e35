package dev.sublet.micro.run;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.micro.ir.Access;
import dev.sublet.micro.ir.CarriedVariable;
import dev.sublet.micro.ir.Expression;
import dev.sublet.micro.ir.ExpressionTypes;
import dev.sublet.micro.ir.IndexExpression;
import dev.sublet.micro.ir.Loop;
import dev.sublet.micro.ir.LoopBlock;
import dev.sublet.micro.ir.MicroProgram;
import dev.sublet.micro.ir.ReduceOperator;
import dev.sublet.micro.ir.ScalarDeclaration;
import dev.sublet.micro.ir.Statement;
import dev.sublet.micro.ir.TensorDeclaration;
import dev.sublet.tensor.ElementType;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Refuses programs whose types, ranks or scopes do not fit, with an {@link
 * IllegalArgumentException}. O(size of the program + blocks × declarations).
 */
final class ProgramCheck {

  private final Map<String, TensorDeclaration> tensors = new HashMap<>();
  private final Map<String, ElementType> parameters = new HashMap<>();
  private final ExpressionTypes types;

  /** Loops and carried variables that are around the statement at hand. */
  private final Set<Integer> loops = new HashSet<>();

  private final Set<Integer> carried = new HashSet<>();

  private ProgramCheck(MicroProgram program, LoopBlock block) {
    for (TensorDeclaration tensor : program.tensors()) {
      tensors.put(tensor.name(), tensor);
    }
    for (ScalarDeclaration parameter : program.parameters()) {
      parameters.put(parameter.name(), parameter.type());
    }
    this.types = ExpressionTypes.in(program, block);
  }

  /** Checks all blocks. */
  static void check(MicroProgram program) {
    program
        .functions()
        .forEach(f -> f.blocks().forEach(b -> new ProgramCheck(program, b).check(b)));
  }

  private void check(LoopBlock block) {
    for (Loop loop : block.loops()) {
      check(loop.start());
      check(loop.end());
      checkArgument(loops.add(loop.id()), "two loops of a block are i%s", loop.id());
      for (CarriedVariable variable : loop.carried()) {
        checkArgument(
            carried.add(variable.id()), "two carried variables of a block are c%s", variable.id());
        checkFits(variable.operator(), variable.type());
      }
      loop.statements().forEach(this::check);
    }
  }

  private static void checkFits(ReduceOperator operator, ElementType type) {
    boolean sums = operator == ReduceOperator.SUM || operator == ReduceOperator.PRODUCT;
    checkArgument(!sums || type != ElementType.BOOL, "%s of booleans", operator);
  }

  private void check(Statement statement) {
    ElementType value = types.of(statement.value());
    check(statement.value());
    if (statement instanceof Statement.Assignment assignment) {
      checkTarget(assignment.target(), value);
    } else if (statement instanceof Statement.Accumulation accumulation) {
      checkTarget(accumulation.target(), value);
      checkFits(accumulation.operator(), value);
      checkArgument(!accumulation.operator().isPosition(), "a tensor holds no positions");
    } else if (statement instanceof Statement.Fold fold) {
      checkCarried(fold.carried());
      CarriedVariable variable = types.ofCarried(fold.carried());
      checkArgument(
          variable.type() == value,
          "c%s is %s and takes no %s in",
          variable.id(),
          variable.type(),
          value);
      checkArgument(
          fold.position().isPresent() == variable.operator().isPosition(),
          "c%s: a position for %s",
          variable.id(),
          variable.operator());
      fold.position().ifPresent(this::check);
    }
  }

  private void checkTarget(Access target, ElementType value) {
    checkAxes(target.tensor(), target.at());
    TensorDeclaration tensor = requireNonNull(tensors.get(target.tensor()));
    checkArgument(
        tensor.role() != TensorDeclaration.Role.INPUT, "input %s is written", tensor.name());
    checkArgument(
        tensor.type() == value, "%s is %s and takes no %s", tensor.name(), tensor.type(), value);
  }

  private void checkAxes(String name, ImmutableList<IndexExpression> at) {
    TensorDeclaration tensor = tensors.get(name);
    checkArgument(tensor != null, "there is no tensor %s", name);
    int rank = requireNonNull(tensor).rank();
    checkArgument(rank == at.size(), "%s has %s axes, not %s", name, rank, at.size());
    at.forEach(this::check);
  }

  private void check(Expression expression) {
    if (expression instanceof Expression.Load load) {
      checkAxes(load.access().tensor(), load.access().at());
    } else if (expression instanceof Expression.IndexValue value) {
      check(value.index());
    } else if (expression instanceof Expression.CarriedValue value) {
      checkCarried(value.id());
    }
    NestSurvey.parts(expression).forEach(this::check);
  }

  private void checkCarried(int id) {
    checkArgument(carried.contains(id), "c%s is not carried by a loop around", id);
  }

  private void check(IndexExpression expression) {
    if (expression instanceof IndexExpression.LoopIndex loop) {
      checkArgument(loops.contains(loop.id()), "there is no loop i%s around", loop.id());
    } else if (expression instanceof IndexExpression.AxisSize size) {
      TensorDeclaration tensor = tensors.get(size.tensor());
      checkArgument(
          tensor != null && size.axis() < tensor.rank(), "there is no extent %s", expression);
    } else if (expression instanceof IndexExpression.Parameter parameter) {
      ElementType type = parameters.get(parameter.name());
      checkArgument(
          type == ElementType.INT32 || type == ElementType.INT64,
          "there is no integer parameter %s",
          expression);
    } else if (expression instanceof IndexExpression.Negation negation) {
      check(negation.operand());
    } else if (expression instanceof IndexExpression.Arithmetic arithmetic) {
      check(arithmetic.left());
      check(arithmetic.right());
    } else if (expression instanceof IndexExpression.Element element) {
      types.checkIndex(element);
      checkAxes(element.tensor(), element.at());
    }
  }
}
