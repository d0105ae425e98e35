package dev.sublet.plan;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableSet;
import dev.sublet.program.VariableId;

/**
 * A variable that the plan leaves to the runtime.
 *
 * @param variable the variable
 * @param reason the reason, in a few words
 */
public record Unplanned(VariableId variable, String reason) {

  /** The reason of a variable that outlives runs, such as a parameter. */
  public static final String PERSISTABLE = "persistable";

  /** The reason of a variable that no operator uses. */
  public static final String NOT_USED = "not used";

  /** The reason of a variable whose elements no operator uses. */
  public static final String ONLY_SHAPE_READ = "only its shape is read";

  /** The reason of a variable without elements, such as the scopes of a loop. */
  public static final String NO_ELEMENTS = "has no elements";

  /** The beginning of the reason of a variable that no run with the given shapes makes. */
  public static final String NEVER_MADE = "never made for the given shapes";

  /** The beginning of the reason of a variable whose bytes are unknown. */
  public static final String SIZE_UNKNOWN = "size unknown";

  private static final ImmutableSet<String> NO_MEMORY_OF_A_RUN =
      ImmutableSet.of(PERSISTABLE, NOT_USED, ONLY_SHAPE_READ, NO_ELEMENTS);

  public Unplanned {
    requireNonNull(variable, "variable");
    requireNonNull(reason, "reason");
  }

  /**
   * Whether the runtime has to find memory for the variable in each run; false for parameters and
   * for variables that are never made or have no elements that matter.
   */
  public boolean needsMemory() {
    return !NO_MEMORY_OF_A_RUN.contains(reason) && !reason.startsWith(NEVER_MADE);
  }
}
