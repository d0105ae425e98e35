package dev.sublet.verify.rewrite;

import com.google.common.collect.ImmutableMap;
import dev.sublet.program.Operation;
import dev.sublet.verify.graph.OperatorAlignment;
import dev.sublet.verify.rewrite.UnrolledLoop.Position;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The fix-ups of an unrolled program: copies that restore values after its loops. They depend on
 * the copy of the body that was not entered, so they are interpreted while the paths that leave the
 * loop are still separate.
 *
 * <pre>
 *   while(c) { copy 0 writes t; conditional_block(c) { copy 1 writes x } }
 *   x = assign(t), if the loop was left after copy 0
 * </pre>
 *
 * <p>In the program these copies run a little later. But the operators between the loop and the
 * copies use none of the same variables: they only count, or are other fix-ups.
 */
final class ExitFixups {

  private final OperatorAlignment alignment;
  private final ImmutableMap<Position, UnrolledLoop> loops;
  private final BitSet blocks = new BitSet();

  ExitFixups(OperatorAlignment alignment, ImmutableMap<Position, UnrolledLoop> loops) {
    this.alignment = alignment;
    this.loops = loops;
    for (UnrolledLoop loop : loops.values()) {
      loop.fixups().forEach(fixup -> blocks.set(fixup.block()));
    }
  }

  /** Whether the copies of the block are interpreted where a loop is left. */
  boolean isFixup(int block) {
    return blocks.get(block);
  }

  private @Nullable UnrolledLoop loop(int head) {
    return loops.get(Position.of(alignment.requireCounterpart(head)));
  }

  /** Whether the number of branches found to leave a loop is the number of its entries. */
  boolean suit(int head, int departures) {
    UnrolledLoop loop = loop(head);
    return loop == null || loop.entries().size() == departures;
  }

  /**
   * Runs the fix-ups for a loop that is left by a branch in it or by its own head.
   *
   * @param branch the head of the branch, or the loop's head
   */
  void run(int head, int branch, ValueNumbering numbering) {
    UnrolledLoop loop = loop(head);
    if (loop == null || !loop.counts()) {
      return;
    }
    int residue = loop.residues().get(head == branch ? 0 : copyBehind(loop, branch));
    for (UnrolledLoop.Fixup fixup : loop.fixups()) {
      if (fixup.residue() == residue) {
        for (Operation copy : alignment.rewritten().block(fixup.block()).operations()) {
          numbering.copyRewritten(copy.input(0), copy.output(0));
        }
      }
    }
  }

  /** The number of the copy that a branch runs. */
  private int copyBehind(UnrolledLoop loop, int branch) {
    Position position = Position.of(alignment.requireCounterpart(branch));
    for (int i = 0; i < loop.entries().size(); i++) {
      if (Position.of(loop.entries().get(i)).equals(position)) {
        return i + 1;
      }
    }
    throw new IllegalStateException("a branch leaves a loop in which it is not");
  }
}
