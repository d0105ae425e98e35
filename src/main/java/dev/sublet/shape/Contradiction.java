package dev.sublet.shape;

import static java.util.Objects.requireNonNull;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.program.Operation;
import dev.sublet.program.Variable;

/**
 * A variable that is declared with another shape than the only operator that writes it gives it,
 * whatever is fed: {@code p} is declared with 16 × 64 elements, and {@code split} makes 8 × 64.
 *
 * <p>What follows is inferred from what the operator makes, as that is what runs. The variable gets
 * bytes for the larger of the two shapes: a wrong rule must not make it too small.
 *
 * @param operation the operator
 * @param variable the variable
 * @param declared its declared extents
 * @param made the extents that the operator gives it
 */
public record Contradiction(
    Operation operation, Variable variable, ImmutableLongArray declared, ImmutableLongArray made) {

  public Contradiction {
    requireNonNull(operation, "operation");
    requireNonNull(variable, "variable");
    requireNonNull(declared, "declared");
    requireNonNull(made, "made");
  }

  /**
   * Whether two shapes contradict each other. Open extents may be anything, and where one shape has
   * more extents than the other, ones among them count for nothing.
   */
  static boolean isOne(ImmutableLongArray declared, ImmutableLongArray made) {
    if (declared.length() != made.length()) {
      return !declared.contains(-1) && !withoutOnes(declared).equals(withoutOnes(made));
    }
    for (int i = 0; i < made.length(); i++) {
      if (declared.get(i) != -1 && declared.get(i) != made.get(i)) {
        return true;
      }
    }
    return false;
  }

  private static ImmutableLongArray withoutOnes(ImmutableLongArray extents) {
    return ImmutableLongArray.copyOf(extents.stream().filter(extent -> extent != 1));
  }

  /** What is wrong, in one sentence. */
  public String message() {
    return "is declared as "
        + declared
        + ", but '"
        + operation.type()
        + "' makes "
        + made
        + "; the plan follows the operator, and has room for the larger of the two";
  }
}
