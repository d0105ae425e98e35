package dev.sublet.verify.graph;

import dev.sublet.operator.spec.ControlKind;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * An index of the nodes that read, write, negate or branch on each variable, for {@link
 * ExclusivePattern}.
 *
 * <p>Reads and writes are not indexed for a program without {@code select_input}. O(accesses) to
 * build.
 */
public final class DefUseIndex {

  private static final int[] NONE = {};

  private final NodeOrder nodeOrder;
  private final DefUses accesses;
  private int[] firstRead = NONE;
  private int[] reads = NONE;
  private int[] firstWrite = NONE;
  private int[] writes = NONE;
  private final Map<Integer, IntList> branches = new HashMap<>();
  private final Map<Integer, IntList> negations = new HashMap<>();

  DefUseIndex(NodeOrder nodeOrder, DefUses accesses) {
    this.nodeOrder = nodeOrder;
    this.accesses = accesses;
    boolean hasSelect = false;
    for (int node = 0; node < nodeOrder.nodeCount(); node++) {
      Operation operation = nodeOrder.operation(node);
      hasSelect |= operation.type().equals("select_input");
      if (nodeOrder.isHead(node) && isScalarBranch(node)) {
        put(branches, operation.inputSlot("Cond"), node);
      }
      if (operation.isPlain("logical_not")) {
        put(negations, operation.inputSlot("X"), node);
      }
    }
    if (hasSelect) {
      indexAccesses();
    }
  }

  /**
   * Whether the condition alone decides the branch. Without {@code is_scalar_condition} Paddle runs
   * the block if its inputs have elements, whatever the value of the condition.
   */
  private boolean isScalarBranch(int head) {
    return nodeOrder.control(head) == ControlKind.CONDITIONAL
        && nodeOrder.operation(head).flag("is_scalar_condition");
  }

  private static void put(Map<Integer, IntList> map, Optional<Slot> slot, int node) {
    int variable = only(slot);
    if (variable != Program.NO_VARIABLE) {
      map.computeIfAbsent(variable, v -> new IntList()).add(node);
    }
  }

  /** Returns the variable of a slot with exactly one argument, else {@link Program#NO_VARIABLE}. */
  public static int only(Optional<Slot> slot) {
    return slot.isEmpty() || slot.get().size() != 1 ? Program.NO_VARIABLE : slot.get().variable(0);
  }

  private void indexAccesses() {
    int count = nodeOrder.program().variableCount();
    int[] readEnds = new int[count + 1];
    int[] writeEnds = new int[count + 1];
    visitAll(
        (variable, node) -> readEnds[variable + 1]++,
        (variable, node) -> writeEnds[variable + 1]++);
    for (int v = 0; v < count; v++) {
      readEnds[v + 1] += readEnds[v];
      writeEnds[v + 1] += writeEnds[v];
    }
    firstRead = readEnds.clone();
    firstWrite = writeEnds.clone();
    reads = new int[readEnds[count]];
    writes = new int[writeEnds[count]];
    visitAll(
        (variable, node) -> reads[readEnds[variable]++] = node,
        (variable, node) -> writes[writeEnds[variable]++] = node);
  }

  private interface Sink {
    void accept(int variable, int node);
  }

  private void visitAll(Sink readSink, Sink writeSink) {
    DefUses.Visitor visitor =
        new DefUses.Visitor() {
          @Override
          public void read(int node, int variable) {
            readSink.accept(variable, node);
          }

          @Override
          public void write(int node, int variable, boolean kills) {
            writeSink.accept(variable, node);
          }
        };
    for (int node = 0; node < nodeOrder.nodeCount(); node++) {
      accesses.visit(node, visitor);
    }
  }

  /**
   * Returns the last node before the given one that may write the variable, if this node has the
   * given operator type and is in the given block; else -1.
   */
  int lastWriter(int variable, int before, String type, int block) {
    if (variable == Program.NO_VARIABLE) {
      return -1;
    }
    int next = firstWriteFrom(variable, before);
    if (next == firstWrite[variable]) {
      return -1;
    }
    int last = writes[next - 1];
    Operation operation = nodeOrder.operation(last);
    return operation.block() == block && operation.isPlain(type) ? last : -1;
  }

  /** The index of the variable's first write at or after a node. O(log writes). */
  private int firstWriteFrom(int variable, int node) {
    int low = firstWrite[variable];
    int high = firstWrite[variable + 1];
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (writes[middle] < node) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Returns the last branch of the block on the condition whose exit is before the node, or -1. */
  int lastBranch(int condition, int before, int block) {
    IntList heads = branches.get(condition);
    if (heads == null) {
      return -1;
    }
    for (int i = countBefore(heads, before) - 1; i >= 0; i--) {
      int head = heads.get(i);
      if (nodeOrder.exitOf(head) < before && nodeOrder.operation(head).block() == block) {
        return head;
      }
    }
    return -1;
  }

  /** The number of the ascending nodes that are before the given one. O(log size). */
  private static int countBefore(IntList nodes, int before) {
    int low = 0;
    int high = nodes.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (nodes.get(middle) < before) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * Returns at most {@code maximum} nodes that negate the variable before the given node, the
   * latest first.
   */
  int[] negationsBefore(int variable, int before, int maximum) {
    IntList found = negations.get(variable);
    int count = found == null ? 0 : countBefore(found, before);
    int[] latest = new int[Math.min(count, maximum)];
    for (int i = 0; found != null && i < latest.length; i++) {
      latest[i] = found.get(count - 1 - i);
    }
    return latest;
  }

  /** Whether no node from the first to the last, both included, may write the variable. */
  boolean isUnwritten(int variable, int first, int last) {
    int next = firstWriteFrom(variable, first);
    return next == firstWrite[variable + 1] || writes[next] > last;
  }

  /**
   * Returns the nodes that read the variable, ascending; a node that reads it twice occurs twice.
   */
  int[] reads(int variable) {
    int[] nodes = new int[firstRead[variable + 1] - firstRead[variable]];
    System.arraycopy(reads, firstRead[variable], nodes, 0, nodes.length);
    return nodes;
  }

  /**
   * Whether the first access to the variable inside a head's body is a whole write by an operator
   * directly in the body.
   */
  boolean isKilledFirst(int variable, int head) {
    int end = nodeOrder.exitOf(head);
    int write = firstInside(writes, firstWrite, variable, head, end);
    int read = firstInside(reads, firstRead, variable, head, end);
    if (write == end
        || read <= write
        || nodeOrder.operation(write).block() != nodeOrder.body(head)) {
      return false;
    }
    Operation operation = nodeOrder.operation(write);
    boolean kills = false;
    for (int i = 0; i < operation.outputCount(); i++) {
      if (operation.output(i) == variable) {
        kills = !nodeOrder.isHead(write) && accesses.effect(write, i) == DefUses.OutputEffect.KILLS;
      }
    }
    return kills && !nodeOrder.isOpaque(write);
  }

  private static int firstInside(int[] nodes, int[] first, int variable, int head, int end) {
    for (int i = first[variable]; i < first[variable + 1]; i++) {
      if (nodes[i] > head) {
        return Math.min(nodes[i], end);
      }
    }
    return end;
  }
}
