package dev.sublet.verify.rewrite;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.program.Operation;

/**
 * A loop of a rewritten program with several copies of its body, and the operators that count them.
 *
 * <pre>
 *   r = 0
 *   while(c) { copy 0; r = 1; conditional_block(c) { copy 1; r = 2; … { copy R-1; r = 0 } … } }
 *   one = 1; f = equal(r, one); conditional_block(f) { assigns }; two = 2; …
 * </pre>
 *
 * <p>A loop may have no counter r. Then it has no fix-ups either.
 *
 * @param loop the loop
 * @param entries the conditional blocks; entry k-1 runs copy k
 * @param residues by k, the value of r when the loop ends because copy k is not entered; the loop's
 *     head decides on copy 0. Empty if there is no r
 * @param fixups the copies that restore values after the loop
 * @param bookkeeping the operators that write r, and all operators after the loop up to the last
 *     fix-up
 */
record UnrolledLoop(
    Operation loop,
    ImmutableList<Operation> entries,
    ImmutableIntArray residues,
    ImmutableList<Fixup> fixups,
    ImmutableMap<Position, Role> bookkeeping) {

  /** The purpose of a bookkeeping operator. */
  enum Role {
    /** Writes r. */
    COUNT,
    /** Writes a number to compare r with. */
    NUMBER,
    /** Compares r with that number. */
    COMPARISON,
    /** Runs a fix-up. */
    FIXUP
  }

  /** The position of an operator, the same in every version of its program. */
  record Position(int block, int index) {
    static Position of(Operation operation) {
      return new Position(operation.block(), operation.index());
    }
  }

  /**
   * Copies that run after the loop.
   *
   * @param residue the value of r for which they run
   * @param block the block of the copies, which contains nothing else
   */
  record Fixup(long residue, int block) {}

  /** Returns the block of a copy. */
  int body(int copy) {
    return (copy == 0 ? loop : entries.get(copy - 1)).blocks().get(0);
  }

  /** Returns the number of copies of the body. */
  int copies() {
    return entries.size() + 1;
  }

  /** Whether the loop has a counter. */
  boolean counts() {
    return !residues.isEmpty();
  }
}
