package dev.sublet.execute;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The variables of one run of a block; a name that is not here is looked up in the parent. */
final class Scope {

  private final @Nullable Scope parent;
  private final Map<String, Cell> cells = new HashMap<>();

  Scope(@Nullable Scope parent) {
    this.parent = parent;
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

  /** Makes the name stand for the instance here, unless the scope has one; the one it has then. */
  Cell bindIfAbsent(String name, Cell cell) {
    Cell before = cells.putIfAbsent(name, cell);
    return before == null ? cell : before;
  }
}
