package dev.sublet.verify.plan;

import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.verify.graph.DefUses;
import dev.sublet.verify.graph.InPlaceRule;
import dev.sublet.verify.graph.IntList;
import dev.sublet.verify.graph.NodeOrder;
import dev.sublet.verify.graph.ProgramGraph;
import dev.sublet.verify.graph.Violations;

/**
 * The effect of one operator on the locations of values, with its checks: a read needs the value
 * where the plan has it, and a write takes the bytes from every other variable whose value has any
 * of them. O(arguments × log) per operator, plus the locations that a write overlaps.
 */
final class PlacedOperators {

  private final NodeOrder nodes;
  private final Program program;
  private final DefUses accesses;
  private final PlacedAllocations allocations;
  private final PhasedLocations locations;
  private final InPlaceRule inPlace;
  private final BufferGroups groups;
  private final KeptBytes kept;
  private final UnneededCopies copies;
  private final PlacementState state;
  private final Violations violations;
  private final IntList overlapping = new IntList();

  /** By variable: the number of the last visited operator that wrote it. */
  private final int[] writtenBy;

  /** Whether the operator reads its inputs at the node at which it writes. */
  private boolean isReading;

  private int visit;

  PlacedOperators(
      ProgramGraph graph,
      PlacementFacts placement,
      InPlaceRule inPlace,
      PlacementState state,
      Violations violations) {
    this.nodes = graph.nodes();
    this.program = graph.program();
    this.accesses = graph.accesses();
    this.allocations = placement.allocations();
    this.locations = placement.locations();
    this.inPlace = inPlace;
    this.groups = placement.groups();
    this.kept = placement.kept();
    this.copies = placement.copies();
    this.state = state;
    this.violations = violations;
    this.writtenBy = new int[program.variableCount()];
  }

  /** Starts the accesses of another operator, or of the other end of a control operator. */
  void nextVisit() {
    visit++;
  }

  /** Runs a straight-line or opaque operator. */
  void run(int node) {
    Operation operation = nodes.operation(node);
    nextVisit();
    if (copies.isUnneeded(node)) {
      stay(node, operation);
      return;
    }
    for (int i = 0; i < operation.inputCount(); i++) {
      if (operation.input(i) != Program.NO_VARIABLE) {
        readInput(operation, operation.input(i), 2 * node);
      }
    }
    for (int i = 0; i < operation.outputCount(); i++) {
      int v = operation.output(i);
      if (v == Program.NO_VARIABLE) {
        continue;
      }
      if (accesses.effect(node, i) == DefUses.OutputEffect.READS_AND_WRITES) {
        read(operation, v, 2 * node, 2 * node);
      } else if (accesses.effect(node, i) == DefUses.OutputEffect.READS) {
        checkFed(node, operation, v);
      }
    }
    readAll(operation, nodes.touches(node), 2 * node, 2 * node);
    nodes.touches(node).forEach(v -> checkStays(operation, v, node));
    isReading = true;
    int point = 2 * node + 1;
    for (int i = 0; i < operation.outputCount(); i++) {
      int v = operation.output(i);
      DefUses.OutputEffect effect = accesses.effect(node, i);
      if (v != Program.NO_VARIABLE && effect != DefUses.OutputEffect.READS) {
        write(operation, v, point, point, effect == DefUses.OutputEffect.KILLS);
      }
    }
    writeAll(operation, nodes.touches(node), point, point);
    isReading = false;
  }

  /**
   * Checks that a variable of the blocks of an opaque operator is in one place while they run: what
   * one run of a block writes, another one may read.
   */
  private void checkStays(Operation operation, int v, int node) {
    int before = locations.at(v, 2 * node);
    int after = locations.at(v, 2 * node + 1);
    if (before != PhasedLocations.NONE
        && after != PhasedLocations.NONE
        && !locations.get(before).isSamePlace(locations.get(after))) {
      violations.add(
          operation,
          program.variable(v),
          "is "
              + locations.describe(before)
              + " before an operator whose blocks may run several times, and "
              + locations.describe(after)
              + " after it");
    }
  }

  /**
   * Reads an input at a point. An input whose elements the operator does not need may have no
   * allocation there; if it has one, the value must be there.
   */
  void readInput(Operation operation, int v, int point) {
    if (inPlace.needsBuffer(operation, v) || locations.at(v, point) != PhasedLocations.NONE) {
      read(operation, v, point, point);
    }
  }

  /**
   * Drops the values of an operator's arguments that have no live range after it. Nothing may read
   * them; if kept, each later write to the same bytes would be compared with them. A chain of views
   * of one buffer is the example: no write ends the values before it.
   */
  void dropEnded(int node) {
    Operation operation = nodes.operation(node);
    for (int i = 0; i < operation.inputCount(); i++) {
      dropEnded(operation.input(i), 2 * node + 2);
    }
    for (int i = 0; i < operation.outputCount(); i++) {
      dropEnded(operation.output(i), 2 * node + 2);
    }
  }

  private void dropEnded(int v, int point) {
    if (v != Program.NO_VARIABLE && state.get(v) >= 0 && allocations.isOver(v, point)) {
      state.set(v, PlacementState.INVALID);
    }
  }

  /** Writes the outputs of a control operator, at its exit. */
  void writeOutputs(int exit) {
    Operation operation = nodes.operation(exit);
    int point = 2 * exit + 1;
    for (int i = 0; i < operation.outputCount(); i++) {
      if (operation.output(i) != Program.NO_VARIABLE) {
        write(operation, operation.output(i), point, point, /* kills= */ false);
      }
    }
  }

  /** Handles an unneeded copy: the target is where the source is, and no byte changes. */
  private void stay(int node, Operation operation) {
    int from = operation.input(0);
    int to = operation.output(0);
    read(operation, from, 2 * node, 2 * node);
    int source = locations.at(from, 2 * node);
    int target = locations.at(to, 2 * node + 1);
    if (source == PhasedLocations.NONE || target == PhasedLocations.NONE) {
      violations.add(
          operation.location(),
          "is listed as an unneeded copy, but of variables that are not allocated there");
    } else if (!locations.get(source).isSamePlace(locations.get(target))) {
      violations.add(
          operation.location(),
          "is listed as an unneeded copy, but its input is "
              + locations.describe(source)
              + " and its output "
              + locations.describe(target));
    }
    writtenBy[to] = visit;
    state.set(to, target == PhasedLocations.NONE ? PlacementState.INVALID : target);
  }

  /**
   * Checks a feed at its operator: its value is there from the start, and its bytes are its own
   * until the operator has provided it.
   */
  private void checkFed(int node, Operation operation, int v) {
    if (!allocations.isPlanned(v)) {
      return;
    }
    if (state.get(v) == PlacementState.INVALID) {
      violations.add(
          operation, program.variable(v), "is fed, but its bytes were used for something else");
    } else if (locations.at(v, 2 * node + 1) == PhasedLocations.NONE) {
      violations.add(
          operation,
          program.variable(v),
          "is fed at point " + (2 * node + 1) + ", but has no bytes there");
    }
  }

  void readAll(Operation operation, ImmutableIntArray variables, int point, int other) {
    for (int i = 0; i < variables.length(); i++) {
      read(operation, variables.get(i), point, other);
    }
  }

  /** Reads a variable at a point. An access between two nodes may be at the other point instead. */
  void read(Operation operation, int v, int point, int otherPoint) {
    if (!allocations.isPlanned(v)) {
      return;
    }
    int location = locations.at(v, point);
    if (location == PhasedLocations.NONE) {
      location = locations.at(v, otherPoint);
    }
    if (location == PhasedLocations.NONE) {
      violations.add(
          operation, program.variable(v), "is read at point " + point + ", but not live there");
    } else if (state.get(v) == PlacementState.INVALID) {
      violations.add(
          operation,
          program.variable(v),
          "is read, but its bytes may hold another value " + locations.describe(location));
    } else if (state.get(v) != PlacementState.UNWRITTEN && state.get(v) != location) {
      violations.add(
          operation,
          program.variable(v),
          "is read "
              + locations.describe(location)
              + ", but its value is "
              + locations.describe(state.get(v)));
    }
  }

  void writeAll(Operation operation, ImmutableIntArray variables, int point, int other) {
    for (int i = 0; i < variables.length(); i++) {
      write(operation, variables.get(i), point, other, /* kills= */ false);
    }
  }

  /** Writes a variable at a point, which takes its bytes from other variables. */
  void write(Operation operation, int v, int point, int otherPoint, boolean kills) {
    if (!allocations.isPlanned(v)) {
      return;
    }
    int location = locations.at(v, point);
    if (location == PhasedLocations.NONE) {
      location = locations.at(v, otherPoint);
    }
    if (location == PhasedLocations.NONE) {
      violations.add(
          operation, program.variable(v), "is written at point " + point + ", but not live there");
      state.set(v, PlacementState.INVALID);
      return;
    }
    locations.findOverlapping(location, overlapping);
    for (int i = 0; i < overlapping.size(); i++) {
      int other = variable(overlapping.get(i));
      if (other != v
          && !groups.areSame(v, other)
          && kept.changes(point / 2, v, location, overlapping.get(i))) {
        checkMeeting(operation, v, location, overlapping.get(i));
        state.set(other, PlacementState.INVALID);
      }
    }
    writtenBy[v] = visit;
    if (kills || state.get(v) == PlacementState.UNWRITTEN) {
      state.set(v, location);
    } else if (state.get(v) != location) {
      // The new part of the value is here and the rest at its old location, so any later read is
      // wrong.
      state.set(v, PlacementState.INVALID);
    }
  }

  /**
   * Checks a write into the bytes of another value, which must not be that of another output, nor
   * that of an input except in a legal in-place pair.
   */
  private void checkMeeting(Operation operation, int v, int location, int held) {
    int other = variable(held);
    if (writtenBy[other] == visit) {
      violations.add(operation, program.variable(v), "overlaps another output, " + quote(held));
    } else if (isReading
        && operation.countInputs(other) > 0
        && inPlace.needsBuffer(operation, other)
        && !(operation.countInputs(v) == 0
            && inPlace.allows(operation, other, v)
            && locations.areSameWhereTheyMeet(location, held))) {
      violations.add(
          operation,
          program.variable(v),
          "overlaps the input " + quote(held) + ", which is not a legal in-place pair");
    }
  }

  private String quote(int location) {
    return Violations.quote(program, variable(location));
  }

  private int variable(int location) {
    return locations.get(location).variable();
  }
}
