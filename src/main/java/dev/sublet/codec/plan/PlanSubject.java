package dev.sublet.codec.plan;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.plan.OperatorSpan;
import dev.sublet.program.Block;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.program.VariableId;
import java.util.Optional;

/**
 * What a plan is about, as far as it is at hand. Some forms say more about a plan if it is.
 *
 * @param title what names in the file may begin with: the output's name without its extensions
 * @param tensors the variables that tensors 0, 1, … of a model stand for
 * @param operators when the operators run, by their first point
 */
public record PlanSubject(
    String title,
    Optional<ImmutableList<VariableId>> tensors,
    Optional<ImmutableList<OperatorSpan>> operators) {

  private static final PlanSubject UNKNOWN =
      new PlanSubject("plan", Optional.empty(), Optional.empty());

  public PlanSubject {
    requireNonNull(title, "title");
    requireNonNull(tensors, "tensors");
    requireNonNull(operators, "operators");
  }

  /** Nothing but the plan is at hand. */
  public static PlanSubject unknown() {
    return UNKNOWN;
  }

  /** The variables of a program's block 0 as it declares them, and its operators. */
  public static PlanSubject of(Program program, ImmutableList<OperatorSpan> operators) {
    Block main = program.block(0);
    ImmutableList.Builder<VariableId> tensors = ImmutableList.builder();
    for (Variable variable : main.variables()) {
      tensors.add(variable.id());
    }
    return new PlanSubject("plan", Optional.of(tensors.build()), Optional.of(operators));
  }

  /** The same under another title. */
  public PlanSubject withTitle(String newTitle) {
    return new PlanSubject(newTitle, tensors, operators);
  }
}
