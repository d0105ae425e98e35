package dev.sublet.plan;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import dev.sublet.program.VariableId;

/**
 * Two variables that are meant to have the same bytes.
 *
 * @param variable one variable
 * @param of the other
 * @param kind why: {@code in_place} (an output in the buffer of the input that dies there), {@code
 *     exclusive} (results of branches of which only one runs), {@code runtime} (the operator itself
 *     shares the buffer) or {@link #VIEW} (an operator copies the bytes from one to the other, so
 *     that both have them at the same time)
 * @param offset how many bytes behind the other's first byte the variable begins; 0 but for views
 */
public record Alias(VariableId variable, VariableId of, String kind, long offset) {

  /** The kind of a variable that is all of another one, or a stretch of it. */
  public static final String VIEW = "view";

  public Alias {
    requireNonNull(variable, "variable");
    requireNonNull(of, "of");
    requireNonNull(kind, "kind");
    checkArgument(offset >= 0, "offset %s", offset);
  }

  /** Two variables that begin at the same byte. */
  public Alias(VariableId variable, VariableId of, String kind) {
    this(variable, of, kind, 0);
  }
}
