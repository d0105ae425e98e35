package dev.sublet.plan;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import dev.sublet.program.VariableId;

/**
 * Two variables that have common bytes on purpose.
 *
 * @param variable one variable
 * @param of the other variable
 * @param kind the reason: {@code in_place} (an output in the buffer of an input that dies at the
 *     operator), {@code exclusive} (results of branches of which only one runs), {@code runtime}
 *     (the operator itself shares the buffer), {@link #VIEW} (an operator would copy the bytes from
 *     one variable to the other, so that both have equal bytes at the same time) or {@link
 *     #REQUESTED} (a result in the buffer of a feed, because the user wants it)
 * @param offset the distance from the first byte of {@code of} to the first byte of {@code
 *     variable}; 0 except for views
 */
public record Alias(VariableId variable, VariableId of, String kind, long offset) {

  /** The kind of a variable whose bytes are all of another variable, or a range of it. */
  public static final String VIEW = "view";

  /** The kind of a result that has the buffer of a feed because {@code --alias} demands it. */
  public static final String REQUESTED = "requested";

  /** Throws {@link IllegalArgumentException} if the offset is negative. */
  public Alias {
    requireNonNull(variable, "variable");
    requireNonNull(of, "of");
    requireNonNull(kind, "kind");
    checkArgument(offset >= 0, "offset %s", offset);
  }

  /** An alias of two variables that begin at the same byte. */
  public Alias(VariableId variable, VariableId of, String kind) {
    this(variable, of, kind, 0);
  }
}
