package dev.sublet.verify.plan;

import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.operator.spec.View;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.shape.Sizes;
import dev.sublet.verify.graph.DefUses;
import dev.sublet.verify.graph.NodeOrder;
import dev.sublet.verify.graph.ProgramGraph;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The bytes that a write does not change, because the plan has placed an input of the operator
 * exactly where its bytes are copied to.
 *
 * <pre>
 *   c = concat(a, b) with a at [0, 64), b at [64, 128) and c at [0, 128)
 *   the write of c changes no byte
 * </pre>
 *
 * <p>The decision follows the catalog and the sizes; the plan's own list of views is ignored. An
 * operator that is listed as an unneeded copy changes nothing.
 */
final class KeptBytes {

  private static final int[] NO_PHASES = {};

  private record KeptRange(long begin, long end) {}

  private record Source(PhasedLocation location, View view) {}

  private final NodeOrder nodes;
  private final DefUses accesses;
  private final Sizes sizes;
  private final PlacedAllocations allocations;
  private final PhasedLocations locations;
  private final UnneededCopies copies;

  KeptBytes(
      ProgramGraph graph,
      Sizes sizes,
      PlacedAllocations allocations,
      PhasedLocations locations,
      UnneededCopies copies) {
    this.nodes = graph.nodes();
    this.accesses = graph.accesses();
    this.sizes = sizes;
    this.allocations = allocations;
    this.locations = locations;
    this.copies = copies;
  }

  /**
   * Whether a node's write of a variable may change a byte that two locations have in common, for
   * the known phases of the loops. All bytes of the written location may change, except those that
   * are copied onto themselves. O(views of the operator × log), times the combinations of unknown
   * phases.
   *
   * @param written the location at which the node writes the variable
   * @param other the other location
   */
  boolean changes(int node, int variable, int written, int other) {
    PhasedLocation target = locations.get(written);
    PhasedLocation bystander = locations.get(other);
    if (target.arena() != bystander.arena() || copies.isUnneeded(node) || isExitOfPhased(node)) {
      return false;
    }
    ImmutableIntArray loops = PhasedLocations.union(target.loops(), bystander.loops());
    if (loops.isEmpty() && !overlap(target, bystander, NO_PHASES)) {
      return false;
    }
    List<Source> sources = isKernel(node) ? sources(node, variable, target) : List.of();
    for (Source source : sources) {
      loops = PhasedLocations.union(loops, source.location().loops());
    }
    if (loops.isEmpty()) {
      return changes(target, bystander, sources, NO_PHASES);
    }
    ImmutableIntArray reached = reached(loops, node);
    if (locations.loops().combinations(reached) > LoopPhases.MAXIMUM_COMBINATIONS) {
      return true;
    }
    int[] phases = new int[locations.loops().size()];
    do {
      if (changes(target, bystander, sources, phases)) {
        return true;
      }
    } while (locations.loops().advance(reached, phases));
    return false;
  }

  /** The loops that may have run before the node; the others have had no iterations. */
  private ImmutableIntArray reached(ImmutableIntArray loops, int node) {
    ImmutableIntArray.Builder reached = ImmutableIntArray.builder();
    for (int i = 0; i < loops.length(); i++) {
      if (locations.loops().firstPoint(loops.get(i)) <= 2 * node + 1) {
        reached.add(loops.get(i));
      }
    }
    return reached.build();
  }

  /**
   * Whether the node is the exit of a phased loop. The outputs of such a loop were written by its
   * body; where views place them, nothing is written at its end.
   */
  private boolean isExitOfPhased(int node) {
    return locations.loops().size() > 0
        && nodes.isExit(node)
        && locations.loops().at(nodes.headOf(node)) >= 0;
  }

  private boolean overlap(PhasedLocation a, PhasedLocation b, int[] phases) {
    return Math.max(offset(a, phases), offset(b, phases))
        < Math.min(offset(a, phases) + a.bytes(), offset(b, phases) + b.bytes());
  }

  private long offset(PhasedLocation location, int[] phases) {
    return location.offset(locations.loops(), phases);
  }

  private boolean changes(
      PhasedLocation target, PhasedLocation bystander, List<Source> sources, int[] phases) {
    if (!overlap(target, bystander, phases)) {
      return false;
    }
    long position = Math.max(offset(target, phases), offset(bystander, phases));
    long end =
        Math.min(
            offset(target, phases) + target.bytes(), offset(bystander, phases) + bystander.bytes());
    for (KeptRange range : kept(target, sources, phases)) {
      if (range.begin() > position) {
        break;
      }
      position = Math.max(position, range.end());
    }
    return position < end;
  }

  private boolean isKernel(int node) {
    return !nodes.isHead(node) && !nodes.isExit(node);
  }

  /** The inputs that the node copies into the variable and their locations, in the same arena. */
  private List<Source> sources(int node, int variable, PhasedLocation target) {
    Operation operation = nodes.operation(node);
    List<Source> sources = new ArrayList<>();
    for (View view : sizes.views(operation)) {
      int input = operation.input(view.input());
      if (operation.output(view.output()) != variable
          || operation.countOutputs(variable) != 1
          || accesses.effect(node, view.output()) != DefUses.OutputEffect.KILLS
          || input == Program.NO_VARIABLE
          || !allocations.isPlanned(input)) {
        continue;
      }
      int source = locations.at(input, 2 * node);
      if (source != PhasedLocations.NONE && locations.get(source).arena() == target.arena()) {
        sources.add(new Source(locations.get(source), view));
      }
    }
    return sources;
  }

  private List<KeptRange> kept(PhasedLocation target, List<Source> sources, int[] phases) {
    List<KeptRange> kept = new ArrayList<>();
    for (Source source : sources) {
      View view = source.view();
      long from = offset(source.location(), phases);
      if (offset(target, phases) - from == view.offset()) {
        long begin = from + view.startInInput();
        kept.add(new KeptRange(begin, begin + view.bytes()));
      }
    }
    kept.sort(Comparator.comparingLong(KeptRange::begin));
    return kept;
  }
}
