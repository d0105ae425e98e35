package dev.sublet.testing.simulate;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The variables of one run of a block; a name that is not here is looked up in the parent. */
final class Scope {

  private final @Nullable Scope parent;

  /** The body block of the loop of which this is an iteration that is kept; 0 if it is none. */
  private final int stepOfBlock;

  private final Map<String, Cell> cells = new HashMap<>();

  Scope(@Nullable Scope parent) {
    this(parent, 0);
  }

  /** The scope of an iteration that is kept of the loop with a body block. */
  Scope(@Nullable Scope parent, int stepOfBlock) {
    this.parent = parent;
    this.stepOfBlock = stepOfBlock;
  }

  /** The scope of the iteration of a loop that this is in, or null. */
  @Nullable Scope step(int block) {
    Scope scope = this;
    while (scope != null && scope.stepOfBlock != block) {
      scope = scope.parent;
    }
    return scope;
  }

  /** The instance that the name stands for, or null. O(nesting depth). */
  @Nullable Cell find(String name) {
    for (Scope scope = this; scope != null; scope = scope.parent) {
      Cell cell = scope.cells.get(name);
      if (cell != null) {
        return cell;
      }
    }
    return null;
  }

  /** The scope's own instance, or null. */
  @Nullable Cell local(String name) {
    return cells.get(name);
  }

  /** Makes the name stand for the instance here. */
  void bind(String name, Cell cell) {
    cells.put(name, cell);
  }

  /** Makes the name stand for the instance here, unless the scope has one already. */
  void bindIfAbsent(String name, Cell cell) {
    cells.putIfAbsent(name, cell);
  }
}
