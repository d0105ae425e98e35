package dev.sublet.shape;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.program.Operation;
import dev.sublet.program.Variable;

/**
 * A variable whose declared shape differs, for all feeds, from the shape that its only writer gives
 * it. For example, {@code p} is declared with 16 × 64 elements, but {@code split} makes 8 × 64.
 *
 * <p>Inference continues with the shape of the operator, because the operator determines the shape
 * at run time. The variable gets bytes for the larger of the two shapes, so that a wrong rule
 * cannot make it too small.
 *
 * @param operation the operator
 * @param variable the variable
 * @param declared its declared extents
 * @param made the extents of the operator's output
 */
public record Contradiction(
    Operation operation, Variable variable, ImmutableLongArray declared, ImmutableLongArray made) {

  /**
   * Whether two shapes contradict each other. An open extent contradicts no other extent. If one
   * shape has more extents than the other, extents of 1 are ignored.
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

  /** The message of a warning about the contradiction, in one sentence. */
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
