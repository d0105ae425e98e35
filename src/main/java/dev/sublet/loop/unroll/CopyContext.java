package dev.sublet.loop.unroll;

import dev.sublet.cfg.Region;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One copy of the body of an unrolled loop, inside a copy of the loops around it. The outermost
 * context is the program itself. A context records the new position of each operator in the copy.
 *
 * <p>A later loop that goes on where an earlier one has left its variables is written once for each
 * copy of the earlier loop's body. The context of such a variant of the later loop is one "after"
 * the copy of the earlier one.
 */
final class CopyContext {

  private static final long NOWHERE = -1;

  final @Nullable CopyContext outer;

  /** The loop whose body is copied, for a variant the earlier loop; 0 for the program. */
  final int region;

  /**
   * The number of the copy: the iteration modulo the loop's repeat; -1 for a first iteration by
   * itself.
   */
  final int phase;

  /** The later loop of which this is a variant; -1 for a copy of a body. */
  final int variantOf;

  private final int firstNode;

  /**
   * The new position of each node: the block times 2 to the 32nd, plus the operator's index there.
   */
  private final long[] positions;

  /**
   * The position of the operator that runs this copy if the loop goes on; for copy 0, the loop
   * itself.
   */
  private long entry = NOWHERE;

  private CopyContext(
      @Nullable CopyContext outer,
      int region,
      int phase,
      int variantOf,
      int firstNode,
      int endNode) {
    this.outer = outer;
    this.region = region;
    this.phase = phase;
    this.variantOf = variantOf;
    this.firstNode = firstNode;
    this.positions = new long[endNode - firstNode];
    Arrays.fill(positions, NOWHERE);
  }

  /** Returns the context of a program with so many nodes. */
  static CopyContext ofProgram(int nodes) {
    return new CopyContext(null, 0, 0, /* variantOf= */ -1, 0, nodes);
  }

  /** Returns the context of a copy of a loop's body. */
  static CopyContext ofBody(CopyContext outer, Region loop, int phase) {
    return new CopyContext(
        outer, loop.index(), phase, /* variantOf= */ -1, loop.head(), loop.exit() + 1);
  }

  /** Returns the context of a loop after an earlier loop was left before a phase. */
  static CopyContext ofVariant(CopyContext outer, int earlier, int phase, Region loop) {
    return new CopyContext(outer, earlier, phase, loop.index(), loop.head(), loop.exit() + 1);
  }

  boolean isVariant() {
    return variantOf >= 0;
  }

  /**
   * Returns the copy of a loop's body that is this context or contains it, or in a variant of a
   * later loop the copy after which it comes; null if there is neither.
   */
  @Nullable CopyContext of(int loop) {
    for (CopyContext context = this; context != null; context = context.outer) {
      if (context.region == loop) {
        return context;
      }
    }
    return null;
  }

  void put(int node, int block, int index) {
    positions[node - firstNode] = (long) block << 32 | index;
  }

  void setEntry(int block, int index) {
    entry = (long) block << 32 | index;
  }

  boolean has(int node) {
    return positions[node - firstNode] != NOWHERE;
  }

  int block(int node) {
    return (int) (positions[node - firstNode] >> 32);
  }

  int index(int node) {
    return (int) positions[node - firstNode];
  }

  int entryBlock() {
    return (int) (entry >> 32);
  }

  int entryIndex() {
    return (int) entry;
  }
}
