package dev.sublet.verify.plan;

import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.diag.Location;
import dev.sublet.operator.spec.ControlKind;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.MultiView;
import dev.sublet.program.Names;
import dev.sublet.verify.graph.IntList;
import dev.sublet.verify.graph.LoopExits;
import dev.sublet.verify.graph.NodeOrder;
import dev.sublet.verify.graph.SavedScopes;
import dev.sublet.verify.graph.Violations;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;

/**
 * The loops whose iterations move allocations, and the phases of these loops. Iteration counts for
 * which all views have the same offsets are one phase.
 *
 * <p>Let c be the least common multiple of the lengths of a loop's rotations, and p = 1 if one of
 * the rotations has a first view of its own, else p = 0. Then the iteration counts 0 to p + c - 1
 * are one phase each, and n and n + c are the same phase for n ≥ p. So phase r contains the
 * iteration count r.
 *
 * <pre>
 *   rotations of lengths 2 and 3, one with a first view: c = 6, p = 1
 *   phases 0 to 6; after 7 iterations the loop is in phase 1 again
 * </pre>
 *
 * <p>Loops are numbered in the order of their nodes. The number of phases is limited; a plan with
 * more is refused. O(size of the views).
 */
final class LoopPhases {

  /** The maximum number of combinations of phases, for one allocation and for nested loops. */
  static final int MAXIMUM_COMBINATIONS = 4096;

  private static final int NONE = -1;

  private final NodeOrder nodes;
  private final int[] loopOfBlock;
  private final IntList heads = new IntList();
  private final IntList prefixes = new IntList();
  private final IntList cycles = new IntList();

  private LoopPhases(NodeOrder nodes) {
    this.nodes = nodes;
    this.loopOfBlock = new int[nodes.program().blocks().size()];
    Arrays.fill(loopOfBlock, NONE);
  }

  /** Finds the loops of a plan's views and reports their faults as violations. */
  static LoopPhases of(
      NodeOrder nodes,
      SavedScopes savedScopes,
      PlacedAllocations allocations,
      Violations violations) {
    LoopPhases phases = new LoopPhases(nodes);
    int[] prefixOfBlock = new int[phases.loopOfBlock.length];
    int[] cycleOfBlock = new int[phases.loopOfBlock.length];
    for (int a = 0; a < allocations.size(); a++) {
      Allocation allocation = allocations.get(a);
      if (allocation.views().isPresent()) {
        phases
            .collect(allocation.views().get(), savedScopes, prefixOfBlock, cycleOfBlock)
            .ifPresent(objection -> violations.add(place(allocation), objection));
      }
    }
    phases.number(prefixOfBlock, cycleOfBlock);
    if (phases.size() > 0) {
      phases.checkExits(LoopExits.of(nodes, savedScopes), violations);
    }
    if (violations.isEmpty()) {
      phases.checkNests(violations);
      phases.checkCombinations(allocations, violations);
    }
    return phases;
  }

  private static Location place(Allocation allocation) {
    return Location.variable(
        allocation.variable().block(), Names.display(allocation.variable().name()));
  }

  /** Records the lengths of a view's rotations; returns the fault of the view, if any. */
  private Optional<String> collect(
      MultiView view, SavedScopes savedScopes, int[] prefixes, int[] cycles) {
    if (!(view instanceof MultiView.Rotation rotation)) {
      return Optional.empty();
    }
    int block = rotation.block();
    Optional<String> objection = blockObjection(block, savedScopes);
    if (objection.isPresent()) {
      return objection;
    }
    prefixes[block] = rotation.first().isPresent() ? 1 : prefixes[block];
    long cycle = leastCommonMultiple(Math.max(1, cycles[block]), rotation.views().size());
    if (cycle > MAXIMUM_COMBINATIONS) {
      return Optional.of(
          "its views and those of others by the iterations of block "
              + block
              + " repeat together only after more than "
              + MAXIMUM_COMBINATIONS
              + " iterations, which is too many to verify");
    }
    cycles[block] = (int) cycle;
    if (rotation.first().isPresent()) {
      objection = collect(rotation.first().get(), savedScopes, prefixes, cycles);
    }
    for (int i = 0; objection.isEmpty() && i < rotation.views().size(); i++) {
      objection = collect(rotation.views().get(i), savedScopes, prefixes, cycles);
    }
    return objection;
  }

  private Optional<String> blockObjection(int block, SavedScopes savedScopes) {
    int head =
        0 < block && block < loopOfBlock.length && nodes.isRun(block)
            ? nodes.headOfBlock(block)
            : NONE;
    if (head == NONE || nodes.control(head) != ControlKind.WHILE) {
      return Optional.of(
          "has views by the iterations of block "
              + block
              + ", which is not the body of a while operator that runs");
    }
    return savedScopes.isKept(block)
        ? Optional.of(
            "has views by the iterations of block "
                + block
                + ", which a gradient operator runs through again")
        : Optional.empty();
  }

  private static long leastCommonMultiple(long a, long b) {
    long x = a;
    long y = b;
    while (y != 0) {
      long rest = x % y;
      x = y;
      y = rest;
    }
    return a / x * b;
  }

  private void number(int[] prefixOfBlock, int[] cycleOfBlock) {
    for (int node = 0; node < nodes.nodeCount(); node++) {
      if (nodes.isHead(node) && cycleOfBlock[nodes.body(node)] > 0) {
        loopOfBlock[nodes.body(node)] = heads.size();
        heads.add(node);
        prefixes.add(prefixOfBlock[nodes.body(node)]);
        cycles.add(cycleOfBlock[nodes.body(node)]);
      }
    }
  }

  /**
   * Refuses loops that are left from inside an iteration, because they would have to count this
   * iteration too.
   */
  private void checkExits(LoopExits exits, Violations violations) {
    for (int node = 0; node < nodes.nodeCount(); node++) {
      int left = nodes.isHead(node) ? exits.loop(node) : NONE;
      if (left >= 0 && at(left) >= 0) {
        violations.add(
            nodes.operation(left).location(),
            "there are views by the iterations of a loop that is left from inside, by "
                + nodes.operation(node).location());
      }
    }
  }

  /** Limits the phases of nested loops, which are run in all combinations. */
  private void checkNests(Violations violations) {
    for (int inner = 0; inner < heads.size(); inner++) {
      long combinations = 1;
      for (int loop = 0; loop <= inner; loop++) {
        if (isInside(inner, heads.get(loop))) {
          combinations = Math.min(combinations * count(loop), MAXIMUM_COMBINATIONS + 1L);
        }
      }
      if (combinations > MAXIMUM_COMBINATIONS) {
        violations.add(
            nodes.operation(heads.get(inner)).location(),
            "the views by this loop and those around it have more than "
                + MAXIMUM_COMBINATIONS
                + " phases together, which is too many to verify");
      }
    }
  }

  private void checkCombinations(PlacedAllocations allocations, Violations violations) {
    for (int a = 0; a < allocations.size(); a++) {
      Allocation allocation = allocations.get(a);
      if (allocation.views().isPresent()
          && combinations(loopsOf(allocation.views().get())) > MAXIMUM_COMBINATIONS) {
        violations.add(
            place(allocation),
            "its views are in more than "
                + MAXIMUM_COMBINATIONS
                + " combinations of phases of loops, which is too many to verify");
      }
    }
  }

  /** Returns the loops that a view names, ascending. */
  ImmutableIntArray loopsOf(MultiView view) {
    BitSet loops = new BitSet();
    addLoops(view, loops);
    return ImmutableIntArray.copyOf(loops.stream());
  }

  private void addLoops(MultiView view, BitSet loops) {
    if (view instanceof MultiView.Rotation rotation) {
      loops.set(loopOfBlock[rotation.block()]);
      rotation.first().ifPresent(first -> addLoops(first, loops));
      rotation.views().forEach(each -> addLoops(each, loops));
    }
  }

  /** Returns the number of loops. */
  int size() {
    return heads.size();
  }

  /** Returns the loop with the given head, or -1 if no view depends on it. */
  int at(int head) {
    return loopOfBlock[nodes.body(head)];
  }

  /** Returns the loop with the given body block, which some view names. */
  int ofBlock(int block) {
    return loopOfBlock[block];
  }

  /** Returns the body block of a loop. */
  int block(int loop) {
    return nodes.body(heads.get(loop));
  }

  /** Returns the number of phases of a loop. */
  int count(int loop) {
    return prefixes.get(loop) + cycles.get(loop);
  }

  /** Returns the phase after the last one: the first phase of the cycle. */
  int wrap(int loop) {
    return prefixes.get(loop);
  }

  /** Whether a loop is the one with the given head or inside its body. */
  boolean isInside(int loop, int head) {
    return head <= heads.get(loop) && heads.get(loop) < nodes.exitOf(head);
  }

  /**
   * Returns the first point at which the loop may have run; at all earlier points it has never run.
   * O(nesting).
   */
  int firstPoint(int loop) {
    int first = heads.get(loop);
    int block = nodes.operation(first).block();
    while (block != 0) {
      int head = nodes.headOfBlock(block);
      first = nodes.control(head).isLoop() ? head : first;
      block = nodes.operation(head).block();
    }
    return 2 * first;
  }

  /**
   * Returns the number of combinations of phases of the loops, at most {@link
   * #MAXIMUM_COMBINATIONS} + 1.
   */
  int combinations(ImmutableIntArray loops) {
    long product = 1;
    for (int i = 0; i < loops.length(); i++) {
      product = Math.min(product * count(loops.get(i)), MAXIMUM_COMBINATIONS + 1L);
    }
    return (int) product;
  }

  /**
   * Advances to the next combination of phases of the loops; the last loop's phase changes fastest.
   *
   * @return false if the previous combination was the last; then all loops are in phase 0
   */
  boolean advance(ImmutableIntArray loops, int[] phases) {
    for (int i = loops.length() - 1; i >= 0; i--) {
      int loop = loops.get(i);
      phases[loop] = (phases[loop] + 1) % count(loop);
      if (phases[loop] != 0) {
        return true;
      }
    }
    return false;
  }
}
