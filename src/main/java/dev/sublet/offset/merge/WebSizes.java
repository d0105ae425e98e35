package dev.sublet.offset.merge;

import dev.sublet.cfg.AccessTable;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.liveness.Liveness;
import dev.sublet.program.Operation;
import dev.sublet.program.Variable;
import dev.sublet.shape.Sizes;

/**
 * The bytes of every web: those of the largest value that an operator writes into it. A variable of
 * several webs, as a shared name is, needs the bytes of its largest value in one of them only.
 */
public final class WebSizes {

  private WebSizes() {}

  /** The bytes by web; for webs of variables without a known size it is not said. O(accesses). */
  public static long[] find(Liveness liveness, Sizes sizes) {
    ControlFlowGraph graph = liveness.graph();
    LiveRanges ranges = liveness.ranges();
    AccessTable accesses = graph.accesses();
    long[] bytes = new long[ranges.webCount()];
    for (Variable variable : graph.program().variables()) {
      int index = variable.index();
      if (!ranges.hasRange(index) || !sizes.isKnown(index)) {
        continue;
      }
      if (liveness.observation().isFeed(index)) {
        raise(bytes, ranges.webAt(index, 0), sizes.bytes(index));
      }
      for (int access = accesses.begin(index); access < accesses.end(index); access++) {
        if (accesses.writes(access)) {
          int node = accesses.node(access);
          int web = ranges.webAt(index, 2 * node + 1);
          raise(bytes, web, written(graph.operation(node), graph.regionAtHead(node), index, sizes));
        }
      }
    }
    return bytes;
  }

  private static void raise(long[] bytes, int web, long size) {
    if (web >= 0) {
      bytes[web] = Math.max(bytes[web], size);
    }
  }

  /**
   * What the operator writes into the variable; what it writes implicitly may be anything, and a
   * variable with room for its declaration has it in each web.
   */
  private static long written(Operation operation, int regionAtHead, int variable, Sizes sizes) {
    long largest = -1;
    boolean isAsWritten = regionAtHead < 0 && !sizes.hasDeclaredRoom(variable);
    for (int i = 0; i < operation.outputCount() && isAsWritten; i++) {
      if (operation.output(i) == variable) {
        largest = Math.max(largest, sizes.bytesWritten(operation, i));
      }
    }
    return largest < 0 ? sizes.bytes(variable) : largest;
  }
}
