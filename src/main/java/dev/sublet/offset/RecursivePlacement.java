package dev.sublet.offset;

import com.google.common.math.LongMath;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.placement.problem.LowerBound;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.PlanningProblem;
import java.util.Arrays;

/**
 * Places the buffers of each region by themselves, innermost regions first. The arena of a region
 * then becomes one buffer of the region around it, live as long as the region's control operator.
 * The final offset of a buffer is the offset of its region plus its offset in the region.
 *
 * <pre>{@code
 * while body: a at 0, b at 64, 128 bytes     main block: the body at 256, so b at 320
 * }</pre>
 *
 * <p>The best placement of all buffers together is never larger. Bytes that are free during a part
 * of a region are not used by buffers outside it; but regions can be planned, and replaced,
 * independently. Regions of which only one runs take different times, and so may have the same
 * bytes.
 *
 * <p>Source: NNC's tensor allocation, "Sub-Computation Graph". NNC hands over the buffers of a
 * sub-graph one by one; here a region is one contiguous buffer. A buffer that contains a variable
 * of the region around it belongs to that region from the start (its home is there).
 */
final class RecursivePlacement {

  /** Places the buffers of one region. */
  interface PlacementStep {
    Placement place(PlanningProblem problem);
  }

  private final PlanningProblem problem;
  private final RegionTree tree;
  private final int[] homes;
  private final String planner;
  private final PlacementStep step;

  /** The first buffer of each region; {@code nextBuffer} links it to the others. -1 ends a list. */
  private final int[] firstBuffer;

  private final int[] nextBuffer;

  /** The first region directly inside each region; {@code nextInner} links it to the others. */
  private final int[] firstInner;

  private final int[] nextInner;

  /** The offset of each buffer in its region, and of each region in the region around it. */
  private final long[] offsetOfBuffer;

  private final long[] offsetOfRegion;
  private final long[] bytesOfRegion;
  private final long[] alignmentOfRegion;
  private long nodes;

  private RecursivePlacement(
      PlanningProblem problem, RegionTree tree, int[] homes, String planner, PlacementStep step) {
    this.problem = problem;
    this.tree = tree;
    this.homes = homes;
    this.planner = planner;
    this.step = step;
    this.firstBuffer = lists(tree.count());
    this.nextBuffer = lists(problem.bufferCount());
    this.firstInner = lists(tree.count());
    this.nextInner = lists(tree.count());
    this.offsetOfBuffer = new long[problem.bufferCount()];
    this.offsetOfRegion = new long[tree.count()];
    this.bytesOfRegion = new long[tree.count()];
    this.alignmentOfRegion = new long[tree.count()];
    for (int buffer = problem.bufferCount() - 1; buffer >= 0; buffer--) {
      nextBuffer[buffer] = firstBuffer[home(buffer)];
      firstBuffer[home(buffer)] = buffer;
    }
    for (int region = tree.count() - 1; region > 0; region--) {
      nextInner[region] = firstInner[tree.parent(region)];
      firstInner[tree.parent(region)] = region;
    }
  }

  private static int[] lists(int count) {
    int[] lists = new int[count];
    Arrays.fill(lists, -1);
    return lists;
  }

  /**
   * Places every buffer of a problem. A pinned buffer is always placed in region 0. Costs the
   * planner's cost for as many buffers, and O(buffers + regions).
   *
   * @param homes the region of each buffer, which contains all its intervals
   * @param planner the name of the planner
   * @param step places the buffers of one region
   */
  static Placement place(
      PlanningProblem problem, RegionTree tree, int[] homes, String planner, PlacementStep step) {
    RecursivePlacement placement = new RecursivePlacement(problem, tree, homes, planner, step);
    for (int region = tree.count() - 1; region >= 0; region--) {
      placement.place(region);
    }
    return placement.result();
  }

  /**
   * Whether any buffer would be placed in an inner region, so that recursion makes a difference.
   */
  static boolean differs(PlanningProblem problem, int[] homes) {
    for (int buffer = 0; buffer < problem.bufferCount(); buffer++) {
      if (homes[buffer] != 0 && !problem.isPinned(buffer)) {
        return true;
      }
    }
    return false;
  }

  private int home(int buffer) {
    return problem.isPinned(buffer) ? 0 : homes[buffer];
  }

  private void place(int region) {
    PlanningProblem.Builder builder = PlanningProblem.builder(problem.alignment());
    long alignment = 1;
    int count = 0;
    for (int buffer = firstBuffer[region]; buffer >= 0; buffer = nextBuffer[buffer]) {
      problem.copyTo(builder, buffer);
      alignment = common(alignment, problem.alignment(buffer));
      count++;
    }
    for (int inner = firstInner[region]; inner >= 0; inner = nextInner[inner]) {
      if (bytesOfRegion[inner] > 0) {
        builder.addBuffer(
            bytesOfRegion[inner], alignmentOfRegion[inner], PlanningProblem.NOT_PINNED);
        builder.addInterval(tree.begin(inner), tree.end(inner));
        alignment = common(alignment, alignmentOfRegion[inner]);
        count++;
      }
    }
    if (count > 0) {
      Placement placement = step.place(builder.build());
      nodes += placement.nodes();
      bytesOfRegion[region] = placement.arenaBytes();
      alignmentOfRegion[region] = alignment;
      takeOffsets(region, placement.offsets());
    }
  }

  private void takeOffsets(int region, ImmutableLongArray offsets) {
    int index = 0;
    for (int buffer = firstBuffer[region]; buffer >= 0; buffer = nextBuffer[buffer]) {
      offsetOfBuffer[buffer] = offsets.get(index++);
    }
    for (int inner = firstInner[region]; inner >= 0; inner = nextInner[inner]) {
      if (bytesOfRegion[inner] > 0) {
        offsetOfRegion[inner] = offsets.get(index++);
      }
    }
  }

  /** Returns the least common multiple: each multiple of it is aligned to both numbers. */
  private static long common(long a, long b) {
    return Math.multiplyExact(a / LongMath.gcd(a, b), b);
  }

  private Placement result() {
    for (int region = 1; region < tree.count(); region++) {
      offsetOfRegion[region] += offsetOfRegion[tree.parent(region)];
    }
    long[] offsets = new long[problem.bufferCount()];
    for (int buffer = 0; buffer < offsets.length; buffer++) {
      offsets[buffer] = offsetOfRegion[home(buffer)] + offsetOfBuffer[buffer];
    }
    return new Placement(
        planner,
        ImmutableLongArray.copyOf(offsets),
        Placement.arenaBytes(problem, offsets),
        LowerBound.of(problem),
        nodes);
  }
}
