package dev.sublet.loop;

import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.Region;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.UnneededCopy;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.shape.Sizes;
import java.util.BitSet;

/**
 * The bytes that {@code assign} operators copy in the loops of a program under a plan, as if each
 * loop ran {@value #TRIPS} times whenever it is entered.
 *
 * <pre>{@code
 * while (c) { y = f(x); x = assign(y) }     x has 100 bytes: 800; 0 if the plan lets x move
 * }</pre>
 */
public final class LoopCopyBytes {

  /** The assumed number of iterations of a loop. */
  private static final int TRIPS = 8;

  private LoopCopyBytes() {}

  /**
   * Returns the bytes that the copies of all loops move; tensors of unknown size do not count.
   * O(operators + blocks × nesting depth).
   */
  public static double of(ControlFlowGraph graph, Sizes sizes, MemoryPlan plan) {
    Program program = graph.program();
    BitSet[] unneeded = new BitSet[program.blocks().size()];
    for (UnneededCopy copy : plan.copies()) {
      if (unneeded[copy.block()] == null) {
        unneeded[copy.block()] = new BitSet();
      }
      unneeded[copy.block()].set(copy.operator());
    }
    double bytes = 0;
    for (Block block : program.blocks()) {
      int region = graph.regionOfBlock(block.index());
      double runs = region < 0 ? 0 : runs(graph, region);
      if (runs > 1) {
        BitSet skipped = unneeded[block.index()];
        for (Operation operation : block.operations()) {
          if (isCopy(operation) && (skipped == null || !skipped.get(operation.index()))) {
            bytes += runs * Math.max(0, sizes.bytes(operation.output(0)));
          }
        }
      }
    }
    return bytes;
  }

  private static double runs(ControlFlowGraph graph, int innermost) {
    double runs = 1;
    for (int region = innermost; region > 0; region = graph.region(region).parent()) {
      Region around = graph.region(region);
      runs *= around.kind().isLoop() ? TRIPS : 1;
    }
    return runs;
  }

  private static boolean isCopy(Operation operation) {
    return operation.isPlain("assign")
        && operation.inputCount() == 1
        && operation.outputCount() == 1
        && operation.output(0) != Program.NO_VARIABLE
        && operation.input(0) != operation.output(0);
  }
}
