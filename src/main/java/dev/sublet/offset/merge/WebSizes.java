package dev.sublet.offset.merge;

import dev.sublet.cfg.AccessTable;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.liveness.Liveness;
import dev.sublet.program.Operation;
import dev.sublet.program.Variable;
import dev.sublet.shape.Sizes;
import java.util.Arrays;

/**
 * The bytes of every web: the size of the largest value that an operator writes into it. A variable
 * of several webs, such as a shared name, needs the bytes of its largest value in one of them only.
 * A tensor array has room for all its elements in each of its webs.
 */
public final class WebSizes {

  private WebSizes() {}

  /**
   * Returns the bytes by web. For webs of variables without a known size they mean nothing.
   * O(accesses).
   *
   * @param alignment each element of a tensor array begins at a multiple of this
   */
  public static long[] find(Liveness liveness, Sizes sizes, long alignment) {
    ControlFlowGraph graph = liveness.graph();
    LiveRanges ranges = liveness.ranges();
    AccessTable accesses = graph.accesses();
    long[] bytes = new long[ranges.webCount()];
    for (Variable variable : graph.program().variables()) {
      int index = variable.index();
      if (!ranges.hasRange(index) || !sizes.isKnown(index)) {
        continue;
      }
      if (variable.kind() == Variable.Kind.TENSOR_ARRAY) {
        int end = ranges.endWeb(index);
        Arrays.fill(bytes, ranges.firstWeb(index), end, sizes.bytes(index, alignment));
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
   * Returns the bytes that the operator writes into the variable. If it writes implicitly, or if
   * the variable has room for its declared shape, these are all bytes of the variable.
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
