package dev.sublet.codec.program;

import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.proto.BlockDesc;
import dev.sublet.proto.OpDesc;
import dev.sublet.proto.ProgramDesc;

/**
 * Removes the blocks that Paddle repeats when it saves a program after its graph passes ({@code
 * SaveOptimModel}, {@code enable_save_optim_model}).
 *
 * <pre>
 *   block 0 (while → 1), block 1, and a third block that says its index is 1: nothing runs it
 * </pre>
 *
 * <p>Source: files that Paddle Inference 2.3.2 has saved.
 */
final class RepeatedBlocks {

  private RepeatedBlocks() {}

  /**
   * Returns the program without the blocks at its end that repeat earlier ones, and notes it. The
   * argument itself if there are none, or if anything refers to them. O(attributes).
   */
  static ProgramDesc remove(ProgramDesc message, DiagnosticLog log) {
    int count = 0;
    while (count < message.getBlocksCount() && message.getBlocks(count).getIdx() == count) {
      count++;
    }
    int end = message.getBlocksCount();
    if (count == end || !isRepetition(message, count)) {
      return message;
    }
    ProgramDesc.Builder builder = message.toBuilder();
    for (int i = end - 1; i >= count; i--) {
      builder.removeBlocks(i);
    }
    log.note(
        Location.block(count),
        "the blocks from this one on are left out: their indices are those of earlier blocks, and no"
            + " operator runs them (Paddle saves optimized programs so)");
    return builder.build();
  }

  /** Whether all blocks from one on claim to be earlier ones, and no earlier one refers to them. */
  private static boolean isRepetition(ProgramDesc message, int first) {
    for (int i = first; i < message.getBlocksCount(); i++) {
      int index = message.getBlocks(i).getIdx();
      if (index < 1 || index >= first) {
        return false;
      }
    }
    for (BlockDesc block : message.getBlocksList().subList(0, first)) {
      if (block.getParentIdx() >= first || block.getForwardBlockIdx() >= first) {
        return false;
      }
      for (OpDesc operation : block.getOpsList()) {
        for (OpDesc.Attr attribute : operation.getAttrsList()) {
          if (attribute.getBlockIdx() >= first
              || attribute.getBlocksIdxList().stream().anyMatch(target -> target >= first)) {
            return false;
          }
        }
      }
    }
    return true;
  }
}
