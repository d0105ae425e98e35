package dev.sublet.verify.rewrite;

import dev.sublet.program.Variable;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where the variables of an original are, seen from one copy of one of its blocks. */
final class CopyScope {

  private final @Nullable CopyScope outer;
  private final boolean isUnrolled;
  private final Map<Integer, Integer> homes = new HashMap<>();

  /**
   * A scope without variables of its own.
   *
   * @param outer the scope around it; null for the program
   * @param isUnrolled whether it lies in a loop that is unrolled
   */
  CopyScope(@Nullable CopyScope outer, boolean isUnrolled) {
    this.outer = outer;
    this.isUnrolled = isUnrolled;
  }

  boolean isUnrolled() {
    return isUnrolled;
  }

  /** Notes that a block declares a variable for this copy. */
  void put(Variable variable, int block) {
    homes.put(variable.index(), block);
  }

  /** The block that declares a variable of the original for this copy. O(depth). */
  int home(Variable variable) {
    for (CopyScope scope = this; scope != null; scope = scope.outer) {
      Integer home = scope.homes.get(variable.index());
      if (home != null) {
        return home;
      }
    }
    return variable.block(); // of a block that is there once
  }
}
