package dev.sublet.verify.rewrite;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.program.Operation;

/**
 * A loop of a rewritten program whose body is there several times, and what keeps count of it.
 *
 * <pre>
 *   r = 0
 *   while(c) { copy 0; r = 1; conditional_block(c) { copy 1; r = 2; … { copy R-1; r = 0 } … } }
 *   one = 1; f = equal(r, one); conditional_block(f) { assigns }; two = 2; …
 * </pre>
 *
 * <p>There need be no r: then nothing may stand behind the loop either.
 *
 * @param loop the loop
 * @param entries the conditional blocks; entry k-1 runs copy k
 * @param residues what r is when copy k is not entered any more, by k; copy 0 by the loop's head.
 *     Empty if there is no r
 * @param fixups what is put back behind the loop
 * @param bookkeeping the operators that write r, and all behind the loop up to the last fix-up
 */
record UnrolledLoop(
    Operation loop,
    ImmutableList<Operation> entries,
    ImmutableIntArray residues,
    ImmutableList<Fixup> fixups,
    ImmutableMap<Position, Role> bookkeeping) {

  /** What an operator is there for. */
  enum Role {
    /** Writes r. */
    COUNT,
    /** Writes a number to compare r with. */
    NUMBER,
    /** Compares. */
    COMPARISON,
    /** Runs a fix-up. */
    FIXUP
  }

  /** Where an operator is, the same in every version of its program. */
  record Position(int block, int index) {
    static Position of(Operation operation) {
      return new Position(operation.block(), operation.index());
    }
  }

  /**
   * Copies that run behind the loop.
   *
   * @param residue what r must be
   * @param block the block that holds the copies, and nothing else but deletions
   */
  record Fixup(long residue, int block) {}

  int body(int copy) {
    return (copy == 0 ? loop : entries.get(copy - 1)).blocks().get(0);
  }

  int copies() {
    return entries.size() + 1;
  }

  boolean counts() {
    return !residues.isEmpty();
  }
}
