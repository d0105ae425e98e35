package dev.sublet.runtime.memory;

import dev.sublet.runtime.kernel.OperatorException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The variables of one run of a block. A name that the scope does not contain is looked up in its
 * parent.
 */
public final class Scope {

  /** The value of {@link #stepOfBlock} for a scope that is not a kept iteration. */
  private static final int NO_STEP = -1;

  private final @Nullable Scope parent;

  /**
   * The body block of the loop, if this is the scope of an iteration that a gradient loop visits.
   */
  private final int stepOfBlock;

  private final Map<String, Cell> cells = new HashMap<>();

  /** The arenas of this iteration, by index in the plan. */
  private final Map<Integer, ArenaBytes> stepArenas = new HashMap<>();

  /** Creates an empty scope. The parent is null for the outermost scope. */
  public Scope(@Nullable Scope parent) {
    this(parent, NO_STEP);
  }

  private Scope(@Nullable Scope parent, int stepOfBlock) {
    this.parent = parent;
    this.stepOfBlock = stepOfBlock;
  }

  /** Creates the scope of one iteration of a loop whose scopes are kept. */
  public static Scope ofStep(Scope parent, int block) {
    return new Scope(parent, block);
  }

  /**
   * Returns the arena of the innermost iteration of a loop that contains this scope. The first call
   * for an iteration creates its arena.
   *
   * @param arena the arena's index in the plan
   * @param block the body block of the loop
   * @param bytes the arena's size
   * @throws OperatorException if this scope is not inside an iteration of the loop
   */
  ArenaBytes stepArena(int arena, int block, long bytes) {
    for (Scope scope = this; scope != null; scope = scope.parent) {
      if (scope.stepOfBlock == block) {
        return scope.stepArenas.computeIfAbsent(arena, index -> new ArenaBytes(bytes));
      }
    }
    throw new OperatorException(
        "the plan gives it bytes of the iterations of block " + block + ", but it is in none");
  }

  /**
   * Returns the instance that a name denotes, here or in an outer scope; null if there is none.
   * O(nesting depth).
   */
  public @Nullable Cell find(String name) {
    for (Scope scope = this; scope != null; scope = scope.parent) {
      Cell cell = scope.cells.get(name);
      if (cell != null) {
        return cell;
      }
    }
    return null;
  }

  /** Returns this scope's own instance of a name; null if there is none. */
  public @Nullable Cell local(String name) {
    return cells.get(name);
  }

  /** Binds a name to an instance in this scope. */
  public void bind(String name, Cell cell) {
    cells.put(name, cell);
  }

  /** Binds a name to an instance unless this scope already binds it. Returns the bound instance. */
  public Cell bindIfAbsent(String name, Cell cell) {
    Cell before = cells.putIfAbsent(name, cell);
    return before == null ? cell : before;
  }
}
