package dev.sublet.offset.merge;

import com.google.common.collect.ImmutableList;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.PinnedVariables;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.liveness.Liveness;
import dev.sublet.operator.spec.View;
import dev.sublet.plan.Unplanned;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.TensorType;
import dev.sublet.program.Variable;
import dev.sublet.shape.LodCarriers;
import dev.sublet.shape.MemorySpaces;
import dev.sublet.shape.Sizes;
import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * The webs that get bytes in an arena, the facts about them, and the reasons why other variables
 * get none. A web without bytes is not planned, even if its variable has an offset. Immutable.
 */
public final class PlannedWebs {

  private static final ImmutableList<String> PLACES = ImmutableList.of("cpu", "gpu");

  private final Liveness liveness;
  private final Sizes sizes;
  private final LodCarriers lod;
  private final MemorySpaces places;

  /** By variable: the reason why it has no offset; empty if it has one. */
  private final String[] reasons;

  /** The variable of each web that is planned; -1 for the others. */
  private final int[] variables;

  private final long[] bytes;

  private final ImmutableList<String> usedPlaces;

  private PlannedWebs(
      Liveness liveness,
      Sizes sizes,
      LodCarriers lod,
      MemorySpaces places,
      long alignment,
      boolean hasStepArenas) {
    this.liveness = liveness;
    this.sizes = sizes;
    this.lod = lod;
    this.places = places;
    this.reasons = new String[program().variableCount()];
    this.variables = new int[ranges().webCount()];
    this.bytes = WebSizes.find(liveness, sizes, alignment);
    Arrays.fill(variables, -1);
    ArrayGrowth growth = ArrayGrowth.find(graph(), sizes);
    for (Variable variable : program().variables()) {
      int index = variable.index();
      reasons[index] = reasonNotToPlan(variable, growth, hasStepArenas);
      for (int web = ranges().firstWeb(index); web < ranges().endWeb(index); web++) {
        variables[web] = hasOffset(index) && bytes[web] > 0 ? index : -1;
      }
    }
    this.usedPlaces = usedPlaces(/* stepBlock= */ 0);
  }

  private PlannedWebs(PlannedWebs all, IntPredicate isIncluded, ImmutableList<String> usedPlaces) {
    this.liveness = all.liveness;
    this.sizes = all.sizes;
    this.lod = all.lod;
    this.places = all.places;
    this.reasons = all.reasons;
    this.variables = new int[all.variables.length];
    this.bytes = all.bytes;
    this.usedPlaces = usedPlaces;
    for (int web = 0; web < variables.length; web++) {
      variables[web] = isIncluded.test(web) ? all.variables[web] : -1;
    }
  }

  /**
   * Returns the planned webs of a program. O(accesses).
   *
   * @param facts the program, with the liveness of bytes
   * @param alignment each element of a tensor array begins at a multiple of this
   * @param hasStepArenas whether variables that a loop keeps once per iteration are planned
   */
  public static PlannedWebs of(ProgramFacts facts, long alignment, boolean hasStepArenas) {
    return new PlannedWebs(
        facts.liveness(), facts.sizes(), facts.lod(), facts.places(), alignment, hasStepArenas);
  }

  /**
   * Returns some of these webs, in arenas of certain memory spaces; the others are not planned.
   * O(webs).
   */
  public PlannedWebs only(IntPredicate isIncluded, ImmutableList<String> newPlaces) {
    return new PlannedWebs(this, isIncluded, newPlaces);
  }

  private String reasonNotToPlan(Variable variable, ArrayGrowth growth, boolean hasStepArenas) {
    int index = variable.index();
    if (variable.isPersistable()) {
      return Unplanned.PERSISTABLE;
    }
    if (!variable.hasElements()) {
      return Unplanned.NO_ELEMENTS;
    }
    boolean isArray = variable.kind() == Variable.Kind.TENSOR_ARRAY;
    if (isArray && !sizes.isKnown(index)) {
      return growth.describe(index);
    }
    if (isArray && sizes.takeTurns(index) && isObserved(index)) {
      return growth.describe(index) + ", all of which are kept";
    }
    if (!isArray && variable.kind() != Variable.Kind.TENSOR) {
      return "not a dense tensor";
    }
    if (graph().pinned().isUnplanned(index)) {
      return graph().pinned().unplannedReason(index);
    }
    if (!hasStepArenas && stepBlock(index) != 0) {
      return PinnedVariables.ONCE_AN_ITERATION;
    }
    if (!ranges().hasRange(index)) {
      boolean asked = graph().accesses().isAccessed(index);
      return asked ? Unplanned.ONLY_SHAPE_READ : Unplanned.NOT_USED;
    }
    return sizes.isKnown(index)
        ? sizes.reason(index)
        : Unplanned.SIZE_UNKNOWN + ": " + sizes.reason(index);
  }

  /**
   * The views that a node makes. If the node may leave an output as it was, because a tensor may be
   * empty, that output is no view. O(views × log accesses).
   */
  ImmutableList<View> views(int node) {
    Operation operation = graph().operation(node);
    ImmutableList.Builder<View> views = ImmutableList.builder();
    for (View view : sizes.views(operation)) {
      int output = operation.output(view.output());
      if (output != Program.NO_VARIABLE && graph().accesses().killsAt(output, node)) {
        views.add(view);
      }
    }
    return views.build();
  }

  /** The program's liveness. */
  public Liveness liveness() {
    return liveness;
  }

  /** The program's graph. */
  public ControlFlowGraph graph() {
    return liveness.graph();
  }

  /** The program. */
  public Program program() {
    return graph().program();
  }

  /** The live ranges of all webs. */
  public LiveRanges ranges() {
    return liveness.ranges();
  }

  Sizes sizes() {
    return sizes;
  }

  /** The number of all webs, planned or not. */
  public int count() {
    return variables.length;
  }

  /** Whether a web gets bytes. */
  public boolean isPlanned(int web) {
    return variables[web] >= 0;
  }

  /** The variable of a web that is planned; -1 for the others. */
  public int variable(int web) {
    return variables[web];
  }

  /** The bytes of a web of a variable that has an offset. */
  public long bytes(int web) {
    return bytes[web];
  }

  /** The slots of a tensor array that has an offset; 1 for other variables. */
  public long slots(int variable) {
    return sizes.slots(variable);
  }

  /** The planned web of a variable at a point; -1 if there is none, or no variable. O(log). */
  int at(int variable, int point) {
    int web = variable == Program.NO_VARIABLE ? -1 : ranges().webAt(variable, point);
    return web < 0 || variables[web] < 0 ? -1 : web;
  }

  /** Whether a variable has an offset; a variable of zero bytes has one too. */
  public boolean hasOffset(int variable) {
    return reasons[variable].isEmpty();
  }

  /** The reason why a variable has no offset; empty if it has one. */
  public String reason(int variable) {
    return reasons[variable];
  }

  /** The memory space of a variable. */
  public String place(int variable) {
    return places.place(variable);
  }

  /** The memory space that the program runs in. */
  public String mainPlace() {
    return places.main();
  }

  /** The body block of the loop that keeps the variable once per iteration; 0 if no loop does. */
  public int stepBlock(int variable) {
    return graph().pinned().stepBlock(variable);
  }

  /** The memory spaces that get arenas for the whole run, not one per iteration. */
  public ImmutableList<String> usedPlaces() {
    return usedPlaces;
  }

  /**
   * The memory spaces of the variables that have an offset and are kept once per iteration by the
   * loop with a body block; with 0, of the variables that no loop keeps. O(variables).
   */
  public ImmutableList<String> usedPlaces(int stepBlock) {
    ImmutableList.Builder<String> used = ImmutableList.builder();
    for (String place : PLACES) {
      for (Variable variable : program().variables()) {
        if (hasOffset(variable.index())
            && stepBlock(variable.index()) == stepBlock
            && places.place(variable.index()).equals(place)) {
          used.add(place);
          break;
        }
      }
    }
    return used.build();
  }

  /** The variables without an offset. O(variables). */
  public ImmutableList<Unplanned> unplanned() {
    ImmutableList.Builder<Unplanned> unplanned = ImmutableList.builder();
    for (Variable variable : program().variables()) {
      if (!hasOffset(variable.index())) {
        unplanned.add(new Unplanned(variable.id(), reasons[variable.index()]));
      }
    }
    return unplanned.build();
  }

  /** Whether two variables are in one memory space. */
  boolean areAtOnePlace(int variable, int other) {
    return places.areSame(variable, other);
  }

  /**
   * Whether two variables may share bytes: they are in one memory space and have the same LoD
   * properties.
   */
  boolean areAlike(int variable, int other) {
    return places.areSame(variable, other)
        && lod.carries(variable) == lod.carries(other)
        && lodLevel(variable) == lodLevel(other);
  }

  private int lodLevel(int variable) {
    return program().variable(variable).tensorType().map(TensorType::lodLevel).orElse(0);
  }

  /** Whether a variable is read from outside after the program has run. */
  public boolean isObserved(int variable) {
    return liveness.observation().isObserved(variable);
  }
}
