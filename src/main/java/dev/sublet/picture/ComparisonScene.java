package dev.sublet.picture;

import com.google.common.collect.ImmutableList;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.picture.Picture.PictureStage;
import dev.sublet.picture.Picture.PlanPair;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import java.util.Optional;

/**
 * Builds the picture of two plans over one time axis, point n of one above point n of the other.
 */
final class ComparisonScene {

  private ComparisonScene() {}

  static Picture draw(
      PlanPair comparison,
      MemoryPlan before,
      MemoryPlan after,
      Optional<ControlFlowGraph> graph,
      Occupants occupants) {
    PlanCheck.check(before, PlanCheck.MOST_POINTS);
    PlanCheck.check(after, PlanCheck.MOST_POINTS);
    int steps = (Math.max(endPoint(before), endPoint(after)) + 1) / 2;
    boolean isLongEnough = graph.isPresent() && graph.get().nodeCount() >= steps;
    TimeAxis axis =
        isLongEnough ? ProgramSteps.of(graph.orElseThrow(), after) : ProgramSteps.numbered(steps);
    PictureStage first = stage("The first plan.", before, axis, occupants);
    PictureStage second = stage("The second plan.", after, axis, occupants);
    return new Picture(
        comparison.before() + " → " + comparison.after(),
        axis,
        occupants.build(),
        first,
        second,
        LiveBytesCurve.of(second),
        ImmutableList.of(),
        Optional.of(comparison));
  }

  private static PictureStage stage(
      String meaning, MemoryPlan plan, TimeAxis axis, Occupants occupants) {
    PictureStage stage = PlanScene.after(plan, occupants, StepMap.identity(axis.steps().size()));
    return new PictureStage(meaning, stage.arenas(), stage.boxes(), /* held= */ false);
  }

  /** The point from which nothing of a plan is live. O(intervals). */
  static int endPoint(MemoryPlan plan) {
    int end = 0;
    for (Allocation allocation : plan.allocations()) {
      for (Interval interval : allocation.live()) {
        end = Math.max(end, interval.end());
      }
    }
    return end;
  }
}
