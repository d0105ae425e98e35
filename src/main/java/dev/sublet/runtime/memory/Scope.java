package dev.sublet.runtime.memory;

import dev.sublet.runtime.kernel.OperatorException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The variables of one run of a block; a name that is not here is looked up in the parent. */
public final class Scope {

  /** Stands for no block in particular. */
  private static final int NO_STEP = -1;

  private final @Nullable Scope parent;

  /** The body block of the loop of which this is an iteration that its gradient will visit. */
  private final int stepOfBlock;

  private final Map<String, Cell> cells = new HashMap<>();

  /** The arenas of this iteration, by their index in the plan. */
  private final Map<Integer, ArenaBytes> stepArenas = new HashMap<>();

  /** An empty scope; null for the outermost one. */
  public Scope(@Nullable Scope parent) {
    this(parent, NO_STEP);
  }

  private Scope(@Nullable Scope parent, int stepOfBlock) {
    this.parent = parent;
    this.stepOfBlock = stepOfBlock;
  }

  /** The scope of one iteration of a loop whose scopes are kept. */
  public static Scope ofStep(Scope parent, int block) {
    return new Scope(parent, block);
  }

  /**
   * The arena that the iteration has which this is the scope of, or is inside the scope of; made
   * where it is asked for first.
   *
   * @param arena its index in the plan
   * @param block the body block of the loop
   * @param bytes its size
   * @throws OperatorException if this is not inside such an iteration
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

  /** The instance that the name stands for, or null. O(nesting depth). */
  public @Nullable Cell find(String name) {
    for (Scope scope = this; scope != null; scope = scope.parent) {
      Cell cell = scope.cells.get(name);
      if (cell != null) {
        return cell;
      }
    }
    return null;
  }

  /** The scope's own instance, or null. */
  public @Nullable Cell local(String name) {
    return cells.get(name);
  }

  /** Makes the name stand for the instance here. */
  public void bind(String name, Cell cell) {
    cells.put(name, cell);
  }

  /** Makes the name stand for the instance here, unless the scope has one; the one it has then. */
  public Cell bindIfAbsent(String name, Cell cell) {
    Cell before = cells.putIfAbsent(name, cell);
    return before == null ? cell : before;
  }
}
