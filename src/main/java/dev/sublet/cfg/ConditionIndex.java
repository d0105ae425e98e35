package dev.sublet.cfg;

import dev.sublet.operator.spec.ControlKind;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The nodes that write, branch on, and negate each condition variable, as ascending lists. The
 * lists of a variable are made at its first query, in O(accesses of the variable); a query is O(log
 * accesses).
 */
final class ConditionIndex {

  /** The nodes of one variable. */
  private static final class Uses {
    final int[] writes;
    final int[] branches;
    final int[] negations;

    Uses(int[] writes, int[] branches, int[] negations) {
      this.writes = writes;
      this.branches = branches;
      this.negations = negations;
    }
  }

  private final ControlFlowGraph graph;
  private final Map<Integer, Uses> uses = new HashMap<>();

  ConditionIndex(ControlFlowGraph graph) {
    this.graph = graph;
  }

  private Uses usesOf(int variable) {
    return uses.computeIfAbsent(variable, this::collect);
  }

  private Uses collect(int variable) {
    AccessTable accesses = graph.accesses();
    int count = accesses.end(variable) - accesses.begin(variable);
    int[] writes = new int[count];
    int[] branches = new int[count];
    int[] negations = new int[count];
    int writeCount = 0;
    int branchCount = 0;
    int negationCount = 0;
    for (int access = accesses.begin(variable); access < accesses.end(variable); access++) {
      int node = accesses.node(access);
      if (accesses.writes(access)) {
        writes[writeCount++] = node;
      }
      if (accesses.reads(access) && isBranchOn(variable, node)) {
        branches[branchCount++] = node;
      }
      if (accesses.reads(access)
          && graph.operation(node).isPlain("logical_not")
          && onlyInput(graph.operation(node), "X") == variable) {
        negations[negationCount++] = node;
      }
    }
    return new Uses(
        Arrays.copyOf(writes, writeCount),
        Arrays.copyOf(branches, branchCount),
        Arrays.copyOf(negations, negationCount));
  }

  private boolean isBranchOn(int variable, int node) {
    int region = graph.regionAtHead(node);
    return region >= 0
        && graph.region(region).kind() == ControlKind.CONDITIONAL
        && onlyInput(graph.operation(node), "Cond") == variable
        && graph.operation(node).flag("is_scalar_condition");
  }

  /** The variable of an input slot with exactly one argument; else {@link Program#NO_VARIABLE}. */
  static int onlyInput(Operation operation, String slotName) {
    Optional<Slot> slot = operation.inputSlot(slotName);
    return slot.isPresent() && slot.get().size() == 1
        ? slot.get().variable(0)
        : Program.NO_VARIABLE;
  }

  /** The latest node before {@code before} that may write the variable, or -1. */
  int latestWrite(int variable, int before) {
    int[] writes = usesOf(variable).writes;
    int count = countBefore(writes, before);
    return count == 0 ? -1 : writes[count - 1];
  }

  /** Whether any node from {@code first} to {@code last}, inclusive, may write the variable. */
  boolean isWritten(int variable, int first, int last) {
    int[] writes = usesOf(variable).writes;
    int next = countBefore(writes, first);
    return next < writes.length && writes[next] <= last;
  }

  /** The region of the latest branch on the variable before a node, directly in a region; or -1. */
  int latestBranch(int variable, int before, int region) {
    int[] branches = usesOf(variable).branches;
    for (int i = countBefore(branches, before) - 1; i >= 0; i--) {
      int candidate = graph.regionAtHead(branches[i]);
      if (graph.region(candidate).parent() == region) {
        return candidate;
      }
    }
    return -1;
  }

  /** At most {@code maximum} nodes before {@code before} that negate the variable, latest first. */
  int[] negationsBefore(int variable, int before, int maximum) {
    int[] negations = usesOf(variable).negations;
    int count = countBefore(negations, before);
    int[] latest = new int[Math.min(count, maximum)];
    for (int i = 0; i < latest.length; i++) {
      latest[i] = negations[count - 1 - i];
    }
    return latest;
  }

  private static int countBefore(int[] nodes, int before) {
    int found = Arrays.binarySearch(nodes, before);
    return found >= 0 ? found : -found - 1;
  }
}
