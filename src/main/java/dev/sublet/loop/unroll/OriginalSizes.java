package dev.sublet.loop.unroll;

import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.shape.CopiedFrom;
import dev.sublet.shape.Sizes;
import org.jspecify.annotations.Nullable;

/**
 * The mapping from an unrolled program's variables and operators to their originals, and the bytes
 * that the operators write.
 */
final class OriginalSizes implements CopiedFrom {

  private final UnrolledProgram unrolled;
  private final ControlFlowGraph graph;
  private final LiveRanges ranges;
  private final Sizes sizes;
  private final long[] bytesOfWebs;

  OriginalSizes(UnrolledProgram unrolled, Sizes sizes, long[] bytesOfWebs) {
    this.unrolled = unrolled;
    this.graph = unrolled.map().carries().liveness().graph();
    this.ranges = unrolled.map().carries().liveness().ranges();
    this.sizes = sizes;
    this.bytesOfWebs = bytesOfWebs;
  }

  @Override
  public int variable(int variable) {
    return unrolled.map().original(unrolled.program().variable(variable).id());
  }

  @Override
  public @Nullable Operation operation(Operation operation) {
    int node = unrolled.map().node(operation);
    return node < 0 ? null : graph.operation(node);
  }

  /**
   * Returns the bytes of the web that an output writes: the web has one location, whatever the size
   * of each of its values.
   */
  @Override
  public long bytesWritten(Operation copy, int output) {
    int node = unrolled.map().node(copy);
    int variable = graph.operation(node).output(output);
    int web = variable == Program.NO_VARIABLE ? -1 : ranges.webAt(variable, 2 * node + 1);
    long written = sizes.bytesWritten(graph.operation(node), output);
    return web < 0 || written < 0 ? written : Math.max(written, bytesOfWebs[web]);
  }
}
