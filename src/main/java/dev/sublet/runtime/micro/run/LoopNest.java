package dev.sublet.runtime.micro.run;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.run.bind.VectorizationPlan;

/**
 * A nest of any form. The loops run one inside the other, and one of them runs in strips of lanes.
 */
final class LoopNest implements Nest.Worker {

  /**
   * One loop.
   *
   * @param start the start, computed when the loop is entered, like {@code end}
   * @param forms the affine forms in the loop's statements and in the bounds of the loop inside
   */
  record NestLoop(
      LongNode start,
      LongNode end,
      ImmutableList<LinearForm> forms,
      ImmutableList<Carried> carried,
      ImmutableList<MicroStep> steps) {}

  private final NestLoop[] loops;
  private final long[] index;
  private final int laneDepth;
  private final int strip;
  private final int sharedDepth;
  private long from;
  private long to;

  /**
   * Creates a nest.
   *
   * @param index the array for the loops' indices
   * @param lanes the loop that runs in strips
   * @param sharedDepth the depth of the loop whose iterations are the items of work; -1 if the
   *     whole nest is one item
   */
  LoopNest(ImmutableList<NestLoop> loops, long[] index, VectorizationPlan lanes, int sharedDepth) {
    this.loops = loops.toArray(new NestLoop[0]);
    this.index = index;
    this.laneDepth = lanes.depth();
    this.strip = lanes.strip();
    this.sharedDepth = sharedDepth;
  }

  @Override
  public void run(long from, long to) {
    this.from = from;
    this.to = to;
    run(/* depth= */ 0, /* lanesAround= */ 1);
  }

  private void run(int depth, int lanesAround) {
    NestLoop loop = loops[depth];
    boolean shared = depth == sharedDepth;
    long end = shared ? to : loop.end.evaluate(1)[0];
    long i = shared ? from : loop.start.evaluate(1)[0];
    for (LinearForm form : loop.forms) {
      form.enter();
    }
    while (i < end) {
      int lanes = depth == laneDepth ? stripOf(end - i) : lanesAround;
      index[depth] = i;
      for (Carried carried : loop.carried) {
        carried.reset(lanes);
      }
      if (depth + 1 < loops.length) {
        run(depth + 1, lanes);
      }
      for (MicroStep step : loop.steps) {
        step.execute(lanes);
      }
      i += depth == laneDepth ? lanes : 1;
    }
  }

  /** Returns the length of the next strip; {@code left} is negative if it overflowed. */
  private int stripOf(long left) {
    return left < 0 || left > strip ? strip : (int) left;
  }
}
