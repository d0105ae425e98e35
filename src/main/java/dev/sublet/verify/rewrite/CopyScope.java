package dev.sublet.verify.rewrite;

import dev.sublet.program.Variable;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The blocks that declare the variables of an original for one copy of one of its blocks.
 *
 * <pre>
 *   block 1 of the original has copies in blocks 1 and 4 and declares x and y
 *   in the copy in block 4, home(x) = 4 if x is declared anew, and home(y) = 1 if y is not
 * </pre>
 */
final class CopyScope {

  private final @Nullable CopyScope outer;
  private final boolean isUnrolled;
  private final Map<Integer, Integer> homes = new HashMap<>();

  /**
   * Creates a scope without variables of its own.
   *
   * @param outer the enclosing scope; null for the program
   * @param isUnrolled whether the scope lies in a loop that is unrolled
   */
  CopyScope(@Nullable CopyScope outer, boolean isUnrolled) {
    this.outer = outer;
    this.isUnrolled = isUnrolled;
  }

  boolean isUnrolled() {
    return isUnrolled;
  }

  /** Records that a block declares a variable for this copy. */
  void put(Variable variable, int block) {
    homes.put(variable.index(), block);
  }

  /** Returns the block that declares a variable of the original for this copy. O(depth). */
  int home(Variable variable) {
    for (CopyScope scope = this; scope != null; scope = scope.outer) {
      Integer home = scope.homes.get(variable.index());
      if (home != null) {
        return home;
      }
    }
    return variable.block(); // the block has only one copy
  }
}
