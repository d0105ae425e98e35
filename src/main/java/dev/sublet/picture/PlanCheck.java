package dev.sublet.picture;

import com.google.common.math.LongMath;
import dev.sublet.diag.ByteText;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.MultiView;
import dev.sublet.program.Names;

/**
 * Rejects plans that cannot be drawn, because a plan file may contain any numbers. A plan that
 * passes may still be wrong, which the plan validator checks. O(plan).
 */
final class PlanCheck {

  /** The most points that a picture may have; a million operators have two million. */
  static final int MOST_POINTS = 20_000_000;

  private PlanCheck() {}

  /**
   * Checks that a plan can be drawn.
   *
   * @param endPoint the point at which the program ends; {@link #MOST_POINTS} without a program
   * @throws ProgramException if an allocation is outside its arena or is live outside the program,
   *     or if the total bytes overflow a {@code long}
   */
  static void check(MemoryPlan plan, int endPoint) {
    long sum = 0;
    for (int i = 0; i < plan.allocations().size(); i++) {
      Allocation allocation = plan.allocations().get(i);
      String name =
          "allocations[" + i + "] ('" + Names.display(allocation.variable().name()) + "')";
      Arena arena = plan.arenas().get(allocation.arena());
      checkBytes(name, arena, allocation.offset(), allocation.bytes());
      if (allocation.views().isPresent()) {
        checkViews(name, arena, allocation.views().get(), allocation.bytes());
      }
      for (Interval interval : allocation.live()) {
        if (interval.begin() < 0 || interval.end() > endPoint) {
          throw refusal(name + ": it is live in " + interval + ", but time ends at " + endPoint);
        }
      }
      sum = LongMath.saturatedAdd(sum, allocation.bytes());
    }
    for (Arena arena : plan.arenas()) {
      sum = LongMath.saturatedAdd(sum, arena.bytes());
    }
    if (sum == Long.MAX_VALUE) {
      throw refusal("its allocations have more bytes than can be counted");
    }
  }

  private static void checkBytes(String name, Arena arena, long offset, long bytes) {
    if (offset < 0 || bytes < 0 || offset > arena.bytes() - bytes) {
      throw refusal(
          name
              + ": it has "
              + ByteText.inWords(bytes)
              + " at offset "
              + offset
              + ", but its arena has "
              + ByteText.exact(arena.bytes()));
    }
  }

  private static void checkViews(String name, Arena arena, MultiView view, long bytes) {
    if (view instanceof MultiView.FixedView fixed) {
      checkBytes(name, arena, fixed.offset(), bytes);
    } else if (view instanceof MultiView.Rotation rotation) {
      rotation.first().ifPresent(first -> checkViews(name, arena, first, bytes));
      for (MultiView next : rotation.views()) {
        checkViews(name, arena, next, bytes);
      }
    }
  }

  private static ProgramException refusal(String message) {
    return ProgramException.unreadable(Location.nowhere(), message);
  }
}
