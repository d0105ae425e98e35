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
 * The subject of a plan: facts about the planned program, as far as they are available. Some forms
 * of plans contain more if they are.
 *
 * @param title the prefix for names in the file: the output's name without its extensions
 * @param tensors the variables of the tensors 0, 1, … of a model
 * @param operators the program points at which each operator runs, ordered by the first point
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

  /** Returns the subject of a plan without its program. */
  public static PlanSubject unknown() {
    return UNKNOWN;
  }

  /**
   * Returns the subject with the variables of a program's block 0 in the order of their
   * declaration, and its operators.
   */
  public static PlanSubject of(Program program, ImmutableList<OperatorSpan> operators) {
    Block main = program.block(0);
    ImmutableList.Builder<VariableId> tensors = ImmutableList.builder();
    for (Variable variable : main.variables()) {
      tensors.add(variable.id());
    }
    return new PlanSubject("plan", Optional.of(tensors.build()), Optional.of(operators));
  }

  /** Returns the same subject with another title. */
  public PlanSubject withTitle(String newTitle) {
    return new PlanSubject(newTitle, tensors, operators);
  }
}
