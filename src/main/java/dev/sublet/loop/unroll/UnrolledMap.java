package dev.sublet.loop.unroll;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.ExclusiveBranches;
import dev.sublet.liveness.ExitNeeds;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.liveness.Observation;
import dev.sublet.loop.InitialLocation;
import dev.sublet.loop.LoopCarriedCopies;
import dev.sublet.loop.LoopCarriedCopy;
import dev.sublet.loop.LoopCarriedValues;
import dev.sublet.loop.RotatingBuffers;
import dev.sublet.loop.RotationPosition;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.program.VariableId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** The mapping from the operators and variables of an unrolled program to those of the original. */
public final class UnrolledMap {

  /**
   * What distinguishes the contexts; see {@link CopyContext}.
   *
   * @param variantOf the later loop of which it is a variant; -1 for a copy of a body
   */
  private record Key(CopyContext outer, int region, int phase, int variantOf) {}

  private final LoopCarriedValues carries;
  private final UnrolledNames names;
  private final ImmutableMap<UnrollLoops.NewName, Integer> originals;
  private final ImmutableMap<UnrollLoops.Position, Integer> copied;
  private final CopyContext root;
  private final Map<Key, CopyContext> copies = new HashMap<>();

  UnrolledMap(
      LoopCarriedValues carries,
      UnrolledNames names,
      List<CopyContext> contexts,
      Map<UnrollLoops.NewName, Integer> originals,
      Map<UnrollLoops.Position, Integer> copied) {
    this.carries = carries;
    this.names = names;
    this.originals = ImmutableMap.copyOf(originals);
    this.copied = ImmutableMap.copyOf(copied);
    this.root = contexts.get(0);
    for (CopyContext context : contexts) {
      if (context.outer != null) {
        copies.put(
            new Key(context.outer, context.region, context.phase, context.variantOf), context);
      }
    }
  }

  /**
   * Returns which variables are live after a repeated loop of the unrolled program, per exit. Of
   * the slots of a rotation, only those are live that contain, at this exit, a variable that is
   * used after the loop.
   *
   * @param graph of the unrolled program
   */
  ExitNeeds exitNeeds(ControlFlowGraph graph) {
    Set<RegionAndVariable> unneeded = new HashSet<>();
    for (CopyContext copy : bodies()) {
      int region = regionAt(graph, copy.entryBlock(), copy.entryIndex());
      for (RotatingBuffers buffers : carries.allBuffers()) {
        if (buffers.region() == copy.region) {
          Set<Integer> needed = carries.slotsReadAfter(buffers, copy.phase);
          CopyContext outer = requireNonNull(copy.outer);
          for (int slot = 0; slot < buffers.length(); slot++) {
            String name = names.nameOfSlot(buffers, slot, outer);
            int variable = graph.program().resolve(copy.entryBlock(), name);
            if (!needed.contains(slot) && variable != Program.NO_VARIABLE) {
              unneeded.add(new RegionAndVariable(region, variable));
            }
          }
        }
      }
      for (int own : carries.initialLocationsLeft(copy.region, copy.phase)) {
        String name = names.plain(own, requireNonNull(copy.outer));
        int variable = graph.program().resolve(copy.entryBlock(), name);
        if (variable != Program.NO_VARIABLE) {
          unneeded.add(new RegionAndVariable(region, variable));
        }
      }
    }
    Set<String> seen = seenOutside(graph.program());
    for (Variable variable : graph.program().variables()) {
      if (seen.contains(variable.name()) && !isSeenItself(variable)) {
        // An operator at the end reads all slots, so also the one that has the value then.
        unneeded.add(new RegionAndVariable(0, variable.index()));
      }
    }
    return (region, variable) -> !unneeded.contains(new RegionAndVariable(region, variable));
  }

  /**
   * Returns the graph of the program to plan.
   *
   * @param mayBeEmpty whether an operator without an original may get tensors without elements
   */
  ControlFlowGraph graph(
      Program unrolled,
      OperatorCatalog catalog,
      Predicate<Operation> mayBeEmpty,
      Predicate<Operation> mayOriginalBeEmpty) {
    ControlFlowGraph original = carries.liveness().graph();
    return withOriginalBranches(
        ControlFlowGraph.build(
            unrolled,
            catalog,
            operation -> {
              int node = node(operation);
              return node < 0
                  ? mayBeEmpty.test(operation)
                  : mayOriginalBeEmpty.test(original.operation(node));
            }));
  }

  /** Returns the graph with only the results of exclusive branches that the original has, too. */
  private ControlFlowGraph withOriginalBranches(ControlFlowGraph graph) {
    ImmutableMap<Integer, ExclusiveBranches.Result> results =
        carries.liveness().graph().exclusive().results();
    return graph.withExclusive(
        result -> {
          int variable = original(graph.program().variable(result.variable()).id());
          ExclusiveBranches.Result original = results.get(variable);
          return original != null
              && original.branch() == originalRegion(graph, result.branch())
              && original.other() == originalRegion(graph, result.other());
        });
  }

  /** The original of a new region; -1 for none. */
  private int originalRegion(ControlFlowGraph graph, int region) {
    int node = node(graph.operation(graph.region(region).head()));
    return node < 0 ? -1 : carries.liveness().graph().regionAtHead(node);
  }

  /**
   * Whether a variable is one of the original program, and its own location has its value at the
   * program's end.
   */
  private boolean isSeenItself(Variable variable) {
    Integer original = originals.get(new UnrollLoops.NewName(variable.block(), variable.name()));
    return original != null
        && carries.liveness().graph().program().variable(original).id().equals(variable.id())
        && isSeenItself(original);
  }

  private boolean isSeenItself(int original) {
    if (!carries.liveness().observation().isObserved(original)) {
      return false;
    }
    LiveRanges ranges = carries.liveness().ranges();
    int web = ranges.webAt(original, ranges.endPoint() - 1);
    return web < 0 || carries.positions(web).isEmpty();
  }

  /**
   * The names of the variables that are observed, of the slots that loops move these variables to,
   * and of the variables that are copied to them before a loop.
   */
  ImmutableSet<String> seenOutside(Program unrolled) {
    Observation observation = carries.liveness().observation();
    Set<RotationPosition> seen = new LinkedHashSet<>();
    for (LoopCarriedCopies loop : carries.loops()) {
      for (LoopCarriedCopy carry : loop.carries()) {
        for (int web : carries.websOf(carry.target())) {
          if (observation.isObserved(carry.target())) {
            seen.addAll(carries.positions(web));
          }
        }
      }
    }
    ImmutableSet.Builder<String> names = ImmutableSet.builder();
    for (CopyContext copy : bodies()) {
      for (RotationPosition position : seen) {
        if (position.buffers().region() == copy.region) {
          addSlots(position, requireNonNull(copy.outer), names);
        }
      }
    }
    // A feed of the original can begin in a slot with another name, and is then no feed here.
    for (Variable variable : carries.liveness().graph().program().block(0).variables()) {
      if (isSeenItself(variable.index())
          && !variable.isPersistable()
          && unrolled.declared(0, variable.name()) != Program.NO_VARIABLE) {
        names.add(variable.name());
      }
    }
    return names.build();
  }

  private void addSlots(
      RotationPosition position, CopyContext around, ImmutableSet.Builder<String> to) {
    for (int slot = 0; slot < position.buffers().length(); slot++) {
      // The slots of an earlier loop are seen with the variables of that loop.
      if (carries.earlierSlot(position.buffers(), slot) == null) {
        to.add(names.nameOfSlot(position.buffers(), slot, around));
      }
    }
    InitialLocation first = position.first();
    if (first != null) {
      int node = first.copyNode();
      to.add(names.first(first, node, /* writes= */ false, around));
    }
  }

  private record RegionAndVariable(int region, int variable) {}

  private static int regionAt(ControlFlowGraph graph, int block, int index) {
    Operation operation = graph.program().block(block).operations().get(index);
    int region = graph.regionOfBlock(operation.blocks().get(0));
    if (region < 0) {
      throw new IllegalStateException(operation + " is not followed");
    }
    return region;
  }

  LoopCarriedValues carries() {
    return carries;
  }

  UnrolledNames names() {
    return names;
  }

  CopyContext root() {
    return root;
  }

  /** The copies of loop bodies. */
  private List<CopyContext> bodies() {
    return copies.values().stream().filter(copy -> !copy.isVariant()).toList();
  }

  /** Returns a copy of a loop's body inside a copy of the code around the loop. */
  CopyContext copy(CopyContext outer, int region, int phase) {
    return context(new Key(outer, region, phase, /* variantOf= */ -1));
  }

  /** Returns the variant of a loop after a copy of an earlier loop's body. */
  CopyContext variant(CopyContext outer, int earlier, int phase, int region) {
    return context(new Key(outer, earlier, phase, region));
  }

  private CopyContext context(Key key) {
    CopyContext context = copies.get(key);
    if (context == null) {
      throw new IllegalStateException("there is no " + key);
    }
    return context;
  }

  /** The original of a new variable; -1 for none. */
  int original(VariableId id) {
    return originals.getOrDefault(new UnrollLoops.NewName(id.block(), id.name()), -1);
  }

  /**
   * The node, or the head, of the original of a new operator, which has as many arguments; -1 for
   * none.
   */
  int node(Operation operation) {
    return copied.getOrDefault(new UnrollLoops.Position(operation.block(), operation.index()), -1);
  }

  /** The repeated loops around a region, the region included, outermost first. */
  ImmutableList<Integer> repeatedAround(int region) {
    ImmutableList.Builder<Integer> loops = ImmutableList.builder();
    var graph = carries.liveness().graph();
    for (int r = region; r > 0; r = graph.region(r).parent()) {
      if (carries.isRepeated(r)) {
        loops.add(r);
      }
    }
    return loops.build().reverse();
  }
}
