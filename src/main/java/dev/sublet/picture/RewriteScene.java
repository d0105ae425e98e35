package dev.sublet.picture;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.picture.Picture.Box;
import dev.sublet.picture.Picture.Link;
import dev.sublet.picture.Picture.Origin;
import dev.sublet.picture.Picture.PictureStage;
import dev.sublet.picture.TimeAxis.AxisStep;
import dev.sublet.picture.TimeAxis.Presence;
import dev.sublet.picture.TimeAxis.Span;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import dev.sublet.program.VariableId;
import dev.sublet.sharing.LeftAlone;
import dev.sublet.sharing.Sharing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Builds the picture of a rewrite: the stage before shows the original program, the stage after the
 * plan of the rewritten one.
 */
final class RewriteScene {

  private static final String AFTER =
      "Where the plan puts the variables of the rewritten program, in which several of them have one"
          + " name.";

  private final OriginalProgram original;
  private final Sharing sharing;
  private final ControlFlowGraph rewritten;
  private final MemoryPlan plan;
  private final ProgramAlignment alignment;
  private final Occupants occupants;

  private RewriteScene(
      OriginalProgram original,
      Sharing sharing,
      ControlFlowGraph rewritten,
      MemoryPlan plan,
      ImmutableMap<VariableId, Origin> origins) {
    this.occupants = new Occupants(origins);
    this.original = original;
    this.sharing = sharing;
    this.rewritten = rewritten;
    this.plan = plan;
    this.alignment = ProgramAlignment.of(original.graph(), rewritten, sharing.renamings());
  }

  static Picture draw(
      String title,
      OriginalProgram original,
      Sharing sharing,
      ControlFlowGraph rewritten,
      MemoryPlan plan,
      ImmutableMap<VariableId, Origin> origins) {
    return new RewriteScene(original, sharing, rewritten, plan, origins).draw(title);
  }

  private Picture draw(String title) {
    List<StackedBoxes.Item> items = items();
    PictureStage planned = PlanScene.after(plan, occupants, new StepMap(alignment.stepOfAfter()));
    Tenants tenants = new Tenants(items, occupants);
    ImmutableList<Box> boxes =
        planned.boxes().stream().map(tenants::divide).collect(ImmutableList.toImmutableList());
    PictureStage after = new PictureStage(AFTER, planned.arenas(), boxes, planned.held());
    PictureStage before = StackedBoxes.stage(PlanScene.BEFORE, after.arenas(), items);
    ImmutableList<Link> links = PlanScene.links(plan, occupants);
    PlanScene.noteUnplanned(plan, occupants);
    for (LeftAlone leftAlone : sharing.leftAlone()) {
      int index = occupants.indexOf(leftAlone.variable());
      occupants.note(index, "keeps its name alone: " + Labels.printable(leftAlone.reason()));
    }
    PlanScene.addTypes(rewritten.program(), occupants);
    PlanScene.addTypes(original.graph().program(), occupants);
    return new Picture(
        Labels.printable(title),
        axis(),
        occupants.build(),
        before,
        after,
        LiveBytesCurve.of(after),
        links,
        Optional.empty());
  }

  /**
   * Returns the variables of the original program that have become planned ones, by dense index.
   */
  private List<StackedBoxes.Item> items() {
    Map<VariableId, Allocation> planned = new LinkedHashMap<>();
    for (Allocation allocation : plan.allocations()) {
      planned.merge(allocation.variable(), allocation, (a, b) -> a.bytes() >= b.bytes() ? a : b);
    }
    Program program = original.graph().program();
    StepMap steps = new StepMap(alignment.stepOfBefore());
    List<StackedBoxes.Item> items = new ArrayList<>();
    for (int variable = 0; variable < program.variableCount(); variable++) {
      int now = alignment.becomes(variable);
      boolean isGone = now == Program.NO_VARIABLE || !original.ranges().hasRange(variable);
      Allocation holder = isGone ? null : planned.get(rewritten.program().variable(now).id());
      if (holder != null) {
        int index = occupants.indexOf(program.variable(variable).id());
        occupants.setHolder(index, occupants.indexOf(holder.variable()));
        items.add(
            new StackedBoxes.Item(
                index,
                holder.arena(),
                bytes(variable, holder),
                steps.map(live(original.ranges(), variable))));
      }
    }
    return items;
  }

  private long bytes(int variable, Allocation holder) {
    return original.sizes().isKnown(variable) ? original.sizes().bytes(variable) : holder.bytes();
  }

  private static List<Interval> live(LiveRanges ranges, int variable) {
    List<Interval> live = new ArrayList<>();
    for (int web = ranges.firstWeb(variable); web < ranges.endWeb(variable); web++) {
      live.addAll(ranges.intervals(web));
    }
    return Interval.union(live);
  }

  private TimeAxis axis() {
    AxisStep[] steps = new AxisStep[alignment.steps()];
    // The copies that need not run with the plan are operators of the rewritten program.
    Set<Long> skipped = ProgramSteps.skipped(plan);
    fill(steps, rewritten, alignment.stepOfAfter(), skipped, Presence.AFTER);
    fill(steps, original.graph(), alignment.stepOfBefore(), Set.of(), Presence.BEFORE);
    Set<Span> spans = new LinkedHashSet<>();
    spans.addAll(ProgramSteps.spans(original.graph(), alignment.stepOfBefore()));
    spans.addAll(ProgramSteps.spans(rewritten, alignment.stepOfAfter()));
    List<Span> ordered = new ArrayList<>(spans);
    ordered.sort(
        (a, b) ->
            a.head() != b.head()
                ? Integer.compare(a.head(), b.head())
                : Integer.compare(b.exit(), a.exit()));
    return new TimeAxis(
        2, ImmutableList.copyOf(Arrays.asList(steps)), ImmutableList.copyOf(ordered));
  }

  private static void fill(
      AxisStep[] steps,
      ControlFlowGraph graph,
      int[] stepOfNode,
      Set<Long> skipped,
      Presence alone) {
    for (int node = 0; node < stepOfNode.length; node++) {
      int step = stepOfNode[node];
      if (steps[step] == null) {
        steps[step] = ProgramSteps.step(graph, node, skipped, alone);
      } else {
        AxisStep other = steps[step];
        steps[step] =
            new AxisStep(
                other.label(), other.place(), other.isExit(), other.isSkipped(), Presence.BOTH);
      }
    }
  }
}
