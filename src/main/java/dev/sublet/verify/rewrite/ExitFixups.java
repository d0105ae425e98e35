package dev.sublet.verify.rewrite;

import com.google.common.collect.ImmutableMap;
import dev.sublet.program.Operation;
import dev.sublet.verify.graph.OperatorAlignment;
import dev.sublet.verify.rewrite.UnrolledLoop.Position;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * What an unrolled program puts back behind its loops. It depends on the copy of the body that was
 * not entered any more, so it must be done while the paths that leave the loop are still apart.
 *
 * <p>In the program the copies come a little later. But between the loop and them there is nothing
 * that has to do with the same variables: only what counts, and other fix-ups.
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

  /** Whether the block's copies are run where a loop is left. */
  boolean isFixup(int block) {
    return blocks.get(block);
  }

  private @Nullable UnrolledLoop loop(int head) {
    return loops.get(Position.of(alignment.requireCounterpart(head)));
  }

  /** Whether a loop that was found to be left by so many branches is left by all its entries. */
  boolean suit(int head, int departures) {
    UnrolledLoop loop = loop(head);
    return loop == null || loop.entries().size() == departures;
  }

  /** Runs what is put back if a loop is left by a branch in it, or by its own head. */
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

  /** The copy that a branch runs. */
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
