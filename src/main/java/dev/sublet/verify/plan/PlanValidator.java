package dev.sublet.verify.plan;

import com.google.common.collect.ImmutableSet;
import dev.sublet.diag.ByteText;
import dev.sublet.diag.Location;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.plan.Alias;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.plan.ExecutionOrder;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.MultiView;
import dev.sublet.plan.Unplanned;
import dev.sublet.program.Names;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.program.VariableId;
import dev.sublet.shape.MemorySpaces;
import dev.sublet.shape.Sizes;
import dev.sublet.verify.graph.InPlaceRule;
import dev.sublet.verify.graph.ProgramGraph;
import dev.sublet.verify.graph.ProofOptions;
import dev.sublet.verify.graph.ValidationResult;
import dev.sublet.verify.graph.Violations;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Checks that a program can run in the memory that an offset plan lays out: the entry point for
 * plans.
 *
 * <p>The checks, in this order:
 *
 * <ol>
 *   <li>The plan is for these sizes at all ({@link ShapesCheck}).
 *   <li>Each allocation by itself: its variable, size, alignment, arena and live ranges, and the
 *       bytes of all its views. Every tensor must be either allocated or listed as unplanned. A
 *       feed and the result that takes its memory begin at one byte ({@link RequestedAliases}).
 *   <li>The program is run over the locations of its values ({@link PlacementInterpreter}). An
 *       operator that copies bytes onto themselves changes nothing, and loops that move variables
 *       run once per phase of their views.
 *   <li>A sweep over time: two allocations that overlap in time and bytes need a reason ({@link
 *       OverlapSweep}).
 *   <li>For the parallel order, the further conditions of {@link ParallelSafety}.
 * </ol>
 *
 * <p>O(n log n) for n accesses and allocations. Not checked: whether the plan's hash is that of the
 * program, for which the serialized program is needed; whether its lower bound is correct; and its
 * aliases, because they only explain overlaps that are checked without them.
 */
public final class PlanValidator {

  private final Program program;
  private final MemoryPlan plan;
  private final OperatorCatalog catalog;
  private final Sizes sizes;
  private final MemorySpaces places;
  private final Violations violations = new Violations();
  private final ProgramGraph graph;
  private final StepArenas steps;
  private final BufferGroups groups;
  private final PlacedAllocations allocations;

  private PlanValidator(
      ProgramGraph graph,
      MemoryPlan plan,
      OperatorCatalog catalog,
      Sizes sizes,
      MemorySpaces places) {
    this.program = graph.program();
    this.plan = plan;
    this.catalog = catalog;
    this.sizes = sizes;
    this.places = places;
    this.graph = graph;
    this.steps = new StepArenas(graph.nodes(), graph.savedScopes());
    this.groups = BufferGroups.of(graph.nodes(), catalog);
    this.allocations = new PlacedAllocations(program, plan);
  }

  /**
   * Validates a plan. Never throws because of the plan's content.
   *
   * @param sizes the sizes of the program's variables, with the plan's batch
   * @param places the memory spaces of the program's variables
   * @param options the observed variables and feeds
   */
  public static ValidationResult validate(
      Program program,
      MemoryPlan plan,
      OperatorCatalog catalog,
      Sizes sizes,
      MemorySpaces places,
      ProofOptions options) {
    return validate(
        ProgramGraph.of(program, catalog, sizes, options, ImmutableSet.of()),
        plan,
        catalog,
        sizes,
        places);
  }

  /**
   * Does the same for a program whose graph is known.
   *
   * @param graph the program's graph, with the observed variables and feeds
   */
  public static ValidationResult validate(
      ProgramGraph graph,
      MemoryPlan plan,
      OperatorCatalog catalog,
      Sizes sizes,
      MemorySpaces places) {
    PlanValidator validator = new PlanValidator(graph, plan, catalog, sizes, places);
    validator.validate(new InPlaceRule(graph.program(), catalog, sizes, places));
    return validator.violations.result();
  }

  private void validate(InPlaceRule inPlace) {
    ShapesCheck shapes = new ShapesCheck(program, graph.observed(), allocations, sizes, violations);
    shapes.run();
    if (violations.isEmpty()) { // else each would be reported per variable
      checkEverything(inPlace);
      shapes.explain();
    }
  }

  private void checkEverything(InPlaceRule inPlace) {
    checkArenas();
    checkOrder();
    for (int a = 0; a < allocations.size(); a++) {
      checkAllocation(a);
    }
    new CapacityCheck(graph, allocations, sizes, violations).run();
    checkCoverage();
    checkAliases();
    new RequestedAliases(graph, allocations, violations).run();
    checkGroups();
    if (!violations.isEmpty()) {
      return; // meaningless offsets cannot be compared
    }
    LoopPhases loops = LoopPhases.of(graph.nodes(), graph.savedScopes(), allocations, violations);
    UnneededCopies copies =
        UnneededCopies.of(plan.copies(), graph, catalog, sizes, inPlace.lodCarriers(), violations);
    if (violations.isEmpty()) {
      checkSharing(inPlace, loops, copies);
    }
  }

  private void checkSharing(InPlaceRule inPlace, LoopPhases loops, UnneededCopies copies) {
    PhasedLocations locations =
        new PhasedLocations(program, allocations, loops, plan.arenas().size());
    KeptBytes kept = new KeptBytes(graph, sizes, allocations, locations, copies);
    PlacementFacts placement = new PlacementFacts(allocations, locations, groups, copies, kept);
    KeptValues keptValues = new KeptValues(graph.nodes(), graph.savedScopes(), plan, allocations);
    new PlacementInterpreter(graph, placement, inPlace, keptValues, violations).run();
    locations.forget();
    ViewFamilies views = ViewFamilies.of(graph, sizes, placement);
    new OverlapSweep(graph, placement, views, violations).run();
    if (plan.order() == ExecutionOrder.PARALLEL) {
      new ParallelSafety(graph, placement, views, inPlace, violations).run();
    }
  }

  /**
   * Refuses views and unneeded copies in the parallel order, because operators that run at the same
   * time may use different iteration counts of a loop.
   */
  private void checkOrder() {
    boolean moves = !plan.copies().isEmpty();
    for (Allocation allocation : plan.allocations()) {
      moves |= allocation.views().isPresent();
    }
    if (moves && plan.order() == ExecutionOrder.PARALLEL) {
      violations.add(
          Location.nowhere(),
          "views by the iterations of loops are not allowed in the parallel order");
    }
  }

  private void checkArenas() {
    Set<String> pools = new HashSet<>();
    for (int i = 0; i < plan.arenas().size(); i++) {
      Arena arena = plan.arenas().get(i);
      if (arena.alignment() < 1) {
        addForArena(i, "the alignment is " + arena.alignment());
      }
      if (arena.lowerBound() < 0 || arena.lowerBound() > arena.bytes()) {
        addForArena(
            i,
            "the lower bound, "
                + ByteText.inWords(arena.lowerBound())
                + ", exceeds its "
                + ByteText.inWords(arena.bytes()));
      }
      if (arena.bytes() > arena.capacity()) {
        addForArena(
            i,
            "its "
                + ByteText.inWords(arena.bytes())
                + " exceed its pool's capacity of "
                + ByteText.inWords(arena.capacity()));
      }
      Optional<String> objection = arena.isStep() ? steps.objection(arena) : Optional.empty();
      if (objection.isPresent()) {
        addForArena(i, objection.get());
      }
      if (arena.isStep() && plan.order() == ExecutionOrder.PARALLEL) {
        addForArena(i, "step arenas are not allowed in the parallel order");
      }
      if (arena.pool().isPresent() && !pools.add(arena.place() + " " + arena.pool().get().name())) {
        addForArena(i, "another one is in pool '" + arena.pool().get().name() + "' as well");
      }
    }
  }

  private void addForArena(int arena, String message) {
    violations.add(Location.nowhere(), "arena " + arena + ": " + message);
  }

  private void checkAllocation(int a) {
    Allocation allocation = allocations.get(a);
    Location place = place(allocation.variable());
    if (allocations.variable(a) == Program.NO_VARIABLE) {
      boolean inPlan = 0 <= allocation.arena() && allocation.arena() < plan.arenas().size();
      violations.add(
          place,
          inPlan
              ? "the program does not declare the variable"
              : "arena " + allocation.arena() + " is not in the plan");
      return;
    }
    Arena arena = plan.arenas().get(allocation.arena());
    int v = allocations.variable(a);
    variableObjection(program.variable(v))
        .or(() -> bytesObjection(allocation, arena, v))
        .or(() -> slotsObjection(allocation, arena, v))
        .or(() -> stepObjection(allocation, arena, v))
        .or(() -> liveObjection(allocation))
        .ifPresent(objection -> violations.add(place, objection));
  }

  /** The objection to an allocation in an arena that is right by itself. */
  private Optional<String> stepObjection(Allocation allocation, Arena arena, int v) {
    boolean isWrong = arena.isStep() && steps.objection(arena).isPresent();
    return isWrong ? Optional.empty() : steps.objection(allocation, arena, v);
  }

  private static Location place(VariableId id) {
    return Location.variable(id.block(), Names.display(id.name()));
  }

  private Optional<String> variableObjection(Variable variable) {
    int v = variable.index();
    if (variable.isPersistable()) {
      return Optional.of("is persistable and may not be allocated");
    }
    boolean isArray = variable.kind() == Variable.Kind.TENSOR_ARRAY;
    if (!isArray && variable.kind() != Variable.Kind.TENSOR) {
      return Optional.of("is a " + variable.kind() + " and may not be allocated");
    }
    if (!graph.nodes().isRun(variable.block())) {
      return Optional.of("is declared in a block that is not followed and may not be allocated");
    }
    if (graph.savedScopes().declaredTwice().get(v) || graph.savedScopes().outOfOrder().get(v)) {
      return Optional.of("is shared between a body and its gradient and may not be allocated");
    }
    return sizes.isKnown(v)
        ? Optional.empty()
        : Optional.of("its size is unknown: " + sizes.reason(v));
  }

  private Optional<String> bytesObjection(Allocation allocation, Arena arena, int v) {
    if (allocation.offset(block -> 0) != allocation.offset()) {
      return Optional.of("offset " + allocation.offset() + " is not where its views begin");
    }
    return bytesObjection(allocation.offset(), allocation.bytes(), arena)
        .or(
            () ->
                allocation.views().flatMap(view -> bytesObjection(view, allocation.bytes(), arena)))
        .or(() -> placeObjection(arena, v));
  }

  /** The objection to the elements of an array: too few, too small, or not where they may be. */
  private Optional<String> slotsObjection(Allocation allocation, Arena arena, int v) {
    boolean isArray = program.variable(v).kind() == Variable.Kind.TENSOR_ARRAY;
    if (!isArray) {
      return allocation.slots() == 1
          ? Optional.empty()
          : Optional.of("has " + allocation.slots() + " slots, but is no tensor array");
    }
    if (sizes.takeTurns(v) && graph.observed().isObserved(v)) {
      return Optional.of("is observed, but its slots keep only the last elements");
    }
    if (allocation.slots() < sizes.slots(v)) {
      return Optional.of(
          "has room for "
              + allocation.slots()
              + " of its elements, but needs room for "
              + sizes.slots(v));
    }
    long needed = sizes.bytes(v) / sizes.slots(v);
    if (allocation.slotBytes() < needed) {
      return Optional.of(
          "has slots of "
              + ByteText.inWords(allocation.slotBytes())
              + ", but an element may have "
              + ByteText.exact(needed));
    }
    long unit = 1; // a slot of less than the alignment begins at a multiple of a power of two
    while (unit < needed && unit < arena.alignment()) {
      unit = Math.min(2 * unit, arena.alignment());
    }
    boolean isAligned =
        allocation.bytes() % allocation.slots() == 0
            && (allocation.slots() == 1 || allocation.slotBytes() % unit == 0);
    return isAligned
        ? Optional.empty()
        : Optional.of("the bytes of its slots are not a multiple of " + unit);
  }

  private Optional<String> placeObjection(Arena arena, int v) {
    return arena.place().equals(places.place(v))
        ? Optional.empty()
        : Optional.of("lives on " + places.place(v) + ", but its arena is on " + arena.place());
  }

  /** The fault of any fixed view of a view. */
  private static Optional<String> bytesObjection(MultiView view, long bytes, Arena arena) {
    if (view instanceof MultiView.Rotation rotation) {
      Optional<String> objection =
          rotation.first().flatMap(first -> bytesObjection(first, bytes, arena));
      for (int i = 0; objection.isEmpty() && i < rotation.views().size(); i++) {
        objection = bytesObjection(rotation.views().get(i), bytes, arena);
      }
      return objection;
    }
    return bytesObjection(view.offset(block -> 0), bytes, arena);
  }

  private static Optional<String> bytesObjection(long offset, long bytes, Arena arena) {
    if (offset < 0 || bytes > arena.bytes() || offset > arena.bytes() - bytes) {
      return Optional.of("does not lie inside its arena of " + ByteText.inWords(arena.bytes()));
    }
    return arena.alignment() >= 1 && offset % arena.alignment() != 0
        ? Optional.of("offset " + offset + " is not a multiple of " + arena.alignment())
        : Optional.empty();
  }

  private Optional<String> liveObjection(Allocation allocation) {
    if (allocation.live().isEmpty()) {
      return Optional.of("is never live");
    }
    int end = 0;
    for (Interval interval : allocation.live()) {
      if (interval.begin() < end) {
        return Optional.of("its live ranges are not ascending and disjoint at " + interval);
      }
      end = interval.end();
    }
    int programEnd = 2 * graph.nodes().nodeCount();
    return end <= programEnd
        ? Optional.empty()
        : Optional.of("is live until " + end + ", but the program ends at " + programEnd);
  }

  /** Checks that every tensor is either allocated or listed as unplanned, and not both. */
  private void checkCoverage() {
    BitSet unplanned = new BitSet();
    for (Unplanned entry : plan.unplanned()) {
      VariableId id = entry.variable();
      boolean inProgram = 0 <= id.block() && id.block() < program.blocks().size();
      int v = inProgram ? program.declared(id.block(), id.name()) : Program.NO_VARIABLE;
      if (v == Program.NO_VARIABLE) {
        violations.add(place(id), "is listed as unplanned, but the program does not declare it");
      } else if (unplanned.get(v)) {
        violations.add(place(id), "is listed as unplanned twice");
      } else {
        unplanned.set(v);
      }
    }
    for (Variable variable : program.variables()) {
      int v = variable.index();
      boolean needed = variable.kind() == Variable.Kind.TENSOR && !variable.isPersistable();
      if (needed && !allocations.isPlanned(v) && !unplanned.get(v)) {
        violations.add(variable, "is neither allocated nor listed as unplanned");
      }
      if (allocations.isPlanned(v) && unplanned.get(v)) {
        violations.add(variable, "is allocated and listed as unplanned");
      }
      if (!allocations.isUnambiguous(v)) {
        violations.add(variable, "has two allocations at the same point");
      }
    }
  }

  private void checkAliases() {
    for (Alias alias : plan.aliases()) {
      for (VariableId id : new VariableId[] {alias.variable(), alias.of()}) {
        boolean inProgram = 0 <= id.block() && id.block() < program.blocks().size();
        if (!inProgram || program.declared(id.block(), id.name()) == Program.NO_VARIABLE) {
          violations.add(place(id), "is in an alias, but the program does not declare it");
        }
      }
    }
  }

  /**
   * Checks that variables which share a buffer at run time all have one region or are all
   * unplanned.
   */
  private void checkGroups() {
    Map<Integer, Integer> firstAllocation = new HashMap<>();
    for (int a = 0; a < allocations.size(); a++) {
      int v = allocations.variable(a);
      if (v == Program.NO_VARIABLE || !graph.neverRenamed().isAliased(v)) {
        continue;
      }
      Integer first = firstAllocation.putIfAbsent(groups.find(v), a);
      if (first != null && !allocations.areIdentical(first, a)) {
        violations.add(
            program.variable(v),
            "shares a buffer with "
                + Violations.quote(program, allocations.variable(first))
                + " at run time, but has another region");
      }
    }
    for (Variable variable : program.variables()) {
      int v = variable.index();
      if (graph.neverRenamed().isAliased(v)
          && !allocations.isPlanned(v)
          && firstAllocation.containsKey(groups.find(v))) {
        violations.add(variable, "is unplanned, but shares a buffer with a planned variable");
      }
    }
  }
}
