package dev.sublet.diff;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.program.Operation;
import dev.sublet.program.VariableId;
import java.util.Optional;

/**
 * What is different between two programs.
 *
 * @param versionBefore the version of the first
 * @param versionAfter the version of the second
 * @param renamings the variables that have another name in operators that stand for each other, by
 *     declaration
 * @param operators the operators that are gone, new or changed, by block and index in the first
 *     program, then in the second
 * @param blocks the blocks that are gone or new with all their operators, which are not listed
 * @param variables the variables that are gone, new or declared otherwise
 * @param inexact the blocks of the first program that are too different to pair as many of their
 *     operators as possible
 */
public record ProgramDifference(
    long versionBefore,
    long versionAfter,
    ImmutableList<Renaming> renamings,
    ImmutableList<OperatorChange> operators,
    ImmutableList<BlockChange> blocks,
    ImmutableList<VariableChange> variables,
    ImmutableList<Integer> inexact) {

  /** What happened to something. */
  public enum Kind {
    /** It is only in the first program or plan. */
    REMOVED,
    /** It is only in the second. */
    ADDED,
    /** It is in both, but not the same. */
    CHANGED
  }

  /**
   * A variable that has another name.
   *
   * @param before the variable in the first program
   * @param after the variable that stands for it in the second
   * @param uses how many arguments and attributes say so
   * @param allUses how many there are of the first one; more if it has several names
   */
  public record Renaming(VariableId before, VariableId after, int uses, int allUses) {

    public Renaming {
      requireNonNull(before, "before");
      requireNonNull(after, "after");
    }
  }

  /**
   * An operator that is not the same.
   *
   * @param kind whether it is gone, new or changed
   * @param before the operator in the first program, unless it is new
   * @param after the operator in the second, unless it is gone
   * @param details what is changed, for people
   */
  public record OperatorChange(
      Kind kind,
      Optional<Operation> before,
      Optional<Operation> after,
      ImmutableList<String> details) {

    public OperatorChange {
      requireNonNull(kind, "kind");
      requireNonNull(before, "before");
      requireNonNull(after, "after");
      requireNonNull(details, "details");
    }
  }

  /**
   * A block that has no partner.
   *
   * @param kind whether it is gone or new
   * @param block its index in its program
   * @param operators how many operators it has
   */
  public record BlockChange(Kind kind, int block, int operators) {

    public BlockChange {
      requireNonNull(kind, "kind");
    }
  }

  /**
   * A variable that is not the same.
   *
   * @param kind whether it is gone, new or declared otherwise
   * @param variable the variable in the program that has it; if both do, in the second
   * @param details what is changed, for people
   */
  public record VariableChange(Kind kind, VariableId variable, ImmutableList<String> details) {

    public VariableChange {
      requireNonNull(kind, "kind");
      requireNonNull(variable, "variable");
      requireNonNull(details, "details");
    }
  }

  public ProgramDifference {
    requireNonNull(renamings, "renamings");
    requireNonNull(operators, "operators");
    requireNonNull(blocks, "blocks");
    requireNonNull(variables, "variables");
    requireNonNull(inexact, "inexact");
  }

  /** Whether nothing is different. */
  public boolean isSame() {
    return versionBefore == versionAfter
        && renamings.isEmpty()
        && operators.isEmpty()
        && blocks.isEmpty()
        && variables.isEmpty();
  }
}
