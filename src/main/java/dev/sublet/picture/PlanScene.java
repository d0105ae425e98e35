package dev.sublet.picture;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.math.LongMath;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.picture.Picture.ArenaBand;
import dev.sublet.picture.Picture.Box;
import dev.sublet.picture.Picture.Link;
import dev.sublet.picture.Picture.Origin;
import dev.sublet.picture.Picture.PictureStage;
import dev.sublet.picture.Picture.Piece;
import dev.sublet.plan.Alias;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.Unplanned;
import dev.sublet.program.Program;
import dev.sublet.program.TensorType;
import dev.sublet.program.Variable;
import dev.sublet.program.VariableId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Builds the picture of a plan: the stage before without the plan, the stage after with it. */
final class PlanScene {

  /** The meaning of a stage in which every variable has its own memory. */
  static final String BEFORE =
      "Every planned variable has bytes of its own, from its first write until the run ends: what a"
          + " runtime holds that frees nothing. Hatched bytes are held, but dead.";

  static final String AFTER =
      "Where the plan puts the same variables: bytes of dead ones are given to others.";

  /** The beginning of the note of a variable that the plan leaves to the runtime. */
  static final String NOT_PLANNED = "not planned: ";

  private final MemoryPlan plan;
  private final Occupants occupants;

  private PlanScene(MemoryPlan plan, ImmutableMap<VariableId, Origin> origins) {
    this.plan = plan;
    this.occupants = new Occupants(origins);
  }

  static Picture draw(
      String title,
      Optional<ControlFlowGraph> graph,
      MemoryPlan plan,
      ImmutableMap<VariableId, Origin> origins) {
    return new PlanScene(plan, origins).draw(title, graph);
  }

  private Picture draw(String title, Optional<ControlFlowGraph> graph) {
    int end = graph.map(known -> 2 * known.nodeCount()).orElse(PlanCheck.MOST_POINTS);
    PlanCheck.check(plan, end);
    TimeAxis axis =
        graph.isPresent()
            ? ProgramSteps.of(graph.get(), plan)
            : ProgramSteps.numbered((ComparisonScene.endPoint(plan) + 1) / 2);
    PictureStage after = after(plan, occupants, StepMap.identity(axis.steps().size()));
    PictureStage before = before();
    ImmutableList<Link> links = links(plan, occupants);
    noteUnplanned(plan, occupants);
    graph.ifPresent(known -> addTypes(known.program(), occupants));
    return new Picture(
        Labels.printable(title),
        axis,
        occupants.build(),
        before,
        after,
        LiveBytesCurve.of(after),
        links,
        Optional.empty());
  }

  /**
   * Returns the stage with one box per variable, as large as its largest web, in the arena of its
   * first web.
   */
  private PictureStage before() {
    Map<Integer, StackedBoxes.Item> items = new TreeMap<>();
    for (Allocation allocation : plan.allocations()) {
      if (!allocation.live().isEmpty()) {
        int variable = occupants.indexOf(allocation.variable());
        StackedBoxes.Item item =
            new StackedBoxes.Item(
                variable, allocation.arena(), allocation.bytes(), allocation.live());
        items.merge(variable, item, StackedBoxes.Item::with);
      }
    }
    return StackedBoxes.stage(BEFORE, arenas(plan), items.values());
  }

  /** Returns the stage of a plan, with boxes in the order of its allocations. */
  static PictureStage after(MemoryPlan plan, Occupants occupants, StepMap steps) {
    ImmutableList<ArenaBand> arenas = arenas(plan);
    List<Box> boxes = new ArrayList<>();
    for (Allocation allocation : plan.allocations()) {
      int variable = occupants.indexOf(allocation.variable());
      if (!allocation.live().isEmpty()) {
        boxes.add(
            new Box(
                variable,
                allocation.arena(),
                allocation.offset(),
                allocation.bytes(),
                pieces(variable, steps.map(allocation.live()), allocation.bytes()),
                allocation.views()));
      }
    }
    return new PictureStage(AFTER, arenas, ImmutableList.copyOf(boxes), /* held= */ false);
  }

  /** Returns one piece per interval, each with all bytes. */
  static ImmutableList<Piece> pieces(int variable, Collection<Interval> live, long bytes) {
    ImmutableList.Builder<Piece> pieces = ImmutableList.builder();
    for (Interval interval : live) {
      pieces.add(new Piece(variable, interval.begin(), interval.end(), 0, bytes));
    }
    return pieces.build();
  }

  private static ImmutableList<ArenaBand> arenas(MemoryPlan plan) {
    ImmutableList.Builder<ArenaBand> arenas = ImmutableList.builder();
    for (Arena arena : plan.arenas()) {
      String label = arena.place();
      if (arena.pool().isPresent()) {
        label += ", pool " + arena.pool().get().name();
      }
      if (arena.isStep()) {
        label += ", one per iteration of block " + arena.stepOfBlock();
      }
      arenas.add(
          new ArenaBand(
              Labels.printable(label), arena.bytes(), arena.lowerBound(), arena.isStep()));
    }
    return arenas.build();
  }

  /** Returns the plan's aliases, except those of variables without a box. */
  static ImmutableList<Link> links(MemoryPlan plan, Occupants occupants) {
    ImmutableList.Builder<Link> links = ImmutableList.builder();
    for (Alias alias : plan.aliases()) {
      if (occupants.has(alias.variable()) && occupants.has(alias.of())) {
        links.add(
            new Link(
                occupants.indexOf(alias.variable()), occupants.indexOf(alias.of()), alias.kind()));
      }
    }
    return links.build();
  }

  /** Adds the variables that the plan leaves to the runtime, with the reasons. */
  static void noteUnplanned(MemoryPlan plan, Occupants occupants) {
    for (Unplanned unplanned : plan.unplanned()) {
      int index = occupants.indexOf(unplanned.variable());
      occupants.note(index, NOT_PLANNED + Labels.printable(unplanned.reason()));
    }
  }

  /**
   * The bytes of a declared type; -1 if an extent is open, or the bytes are beyond a {@code long}.
   */
  private static long bytes(TensorType type) {
    long bytes = type.dataType().bytes();
    for (long extent : type.dims().asList()) {
      if (extent < 0) {
        return -1;
      }
      bytes = LongMath.saturatedMultiply(bytes, extent);
    }
    return bytes == Long.MAX_VALUE ? -1 : bytes;
  }

  /** Sets the declared types of the variables that are in the picture. */
  static void addTypes(Program program, Occupants occupants) {
    for (Variable variable : program.variables()) {
      VariableId id = variable.id();
      Optional<TensorType> type = variable.tensorType();
      if (type.isPresent() && occupants.has(id)) {
        occupants.setType(occupants.indexOf(id), type.get().toString(), bytes(type.get()));
      }
    }
  }
}
