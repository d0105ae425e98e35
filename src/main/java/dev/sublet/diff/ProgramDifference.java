package dev.sublet.diff;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.program.Operation;
import dev.sublet.program.VariableId;
import java.util.Optional;

/**
 * The differences between two programs.
 *
 * @param versionBefore the version of the first program
 * @param versionAfter the version of the second program
 * @param renamings the variables that have another name in corresponding operators, in the order of
 *     declarations
 * @param operators the operators that are removed, added or changed; ordered by pair of blocks, in
 *     each the removed ones, then the added ones, then the changed ones
 * @param blocks the blocks that are removed or added as a whole; their operators are not listed
 * @param variables the variables that are removed, added, or declared differently
 * @param inexact the blocks of the first program for which the pairing of operators is not exact,
 *     because they differ too much
 */
public record ProgramDifference(
    long versionBefore,
    long versionAfter,
    ImmutableList<Renaming> renamings,
    ImmutableList<OperatorChange> operators,
    ImmutableList<BlockChange> blocks,
    ImmutableList<VariableChange> variables,
    ImmutableList<Integer> inexact) {

  /** The kind of a change. */
  public enum Kind {
    /** Only in the first program. */
    REMOVED,
    /** Only in the second program. */
    ADDED,
    /** In both programs, but different. */
    CHANGED
  }

  /**
   * A variable with another name in the second program.
   *
   * @param before the variable in the first program
   * @param after the corresponding variable in the second program
   * @param uses the number of arguments and attributes in which the two correspond
   * @param allUses the number of all uses of the first variable; greater than {@code uses} if it
   *     has several names
   */
  public record Renaming(VariableId before, VariableId after, int uses, int allUses) {

    public Renaming {
      requireNonNull(before, "before");
      requireNonNull(after, "after");
    }
  }

  /**
   * An operator that differs.
   *
   * @param kind whether the operator is removed, added or changed
   * @param before the operator in the first program, unless it is added
   * @param after the operator in the second program, unless it is removed
   * @param details the changes, as text for people
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
   * @param kind whether the block is removed or added
   * @param block its index in its program
   * @param operators the number of its operators
   */
  public record BlockChange(Kind kind, int block, int operators) {

    public BlockChange {
      requireNonNull(kind, "kind");
    }
  }

  /**
   * A variable that differs.
   *
   * @param kind whether the variable is removed, added, or declared differently
   * @param variable the variable; if it is in both programs, the variable of the second one
   * @param details the changes, as text for people
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

  /** Whether there is no difference. */
  public boolean isSame() {
    return versionBefore == versionAfter
        && renamings.isEmpty()
        && operators.isEmpty()
        && blocks.isEmpty()
        && variables.isEmpty();
  }
}
