package dev.sublet.verify;

import dev.sublet.operator.ControlKind;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Where each variable is read and written, where it decides a branch, and where it is negated: what
 * recognizing a pattern needs. Nothing is indexed for a program without {@code select_input}.
 * O(accesses) to build.
 */
final class NodeIndex {

  private static final int[] NONE = {};

  private final Walk walk;
  private final Accesses accesses;
  private int[] firstRead = NONE;
  private int[] reads = NONE;
  private int[] firstWrite = NONE;
  private int[] writes = NONE;
  private final Map<Integer, IntList> branches = new HashMap<>();
  private final Map<Integer, IntList> negations = new HashMap<>();

  NodeIndex(Walk walk, Accesses accesses) {
    this.walk = walk;
    this.accesses = accesses;
    boolean hasSelect = false;
    for (int node = 0; node < walk.nodeCount(); node++) {
      Operation operation = walk.operation(node);
      hasSelect |= operation.type().equals("select_input");
      if (walk.isHead(node) && isScalarBranch(node)) {
        put(branches, operation.inputSlot("Cond"), node);
      }
      if (operation.type().equals("logical_not")) {
        put(negations, operation.inputSlot("X"), node);
      }
    }
    if (hasSelect) {
      indexAccesses();
    }
  }

  /** Without the flag Paddle runs the block if its inputs have elements, whatever the condition. */
  private boolean isScalarBranch(int head) {
    return walk.control(head) == ControlKind.CONDITIONAL
        && walk.operation(head).flag("is_scalar_condition");
  }

  private static void put(Map<Integer, IntList> map, Optional<Slot> slot, int node) {
    int variable = only(slot);
    if (variable != Program.NO_VARIABLE) {
      map.computeIfAbsent(variable, v -> new IntList()).add(node);
    }
  }

  /** The variable of a slot that has exactly one argument. */
  static int only(Optional<Slot> slot) {
    return slot.isEmpty() || slot.get().size() != 1 ? Program.NO_VARIABLE : slot.get().variable(0);
  }

  private void indexAccesses() {
    int count = walk.program().variableCount();
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
    Accesses.Visitor visitor =
        new Accesses.Visitor() {
          @Override
          public void read(int node, int variable) {
            readSink.accept(variable, node);
          }

          @Override
          public void write(int node, int variable, boolean kills) {
            writeSink.accept(variable, node);
          }
        };
    for (int node = 0; node < walk.nodeCount(); node++) {
      accesses.visit(node, visitor);
    }
  }

  /** The last node before another that may write the variable, if its type and block fit; or -1. */
  int lastWriter(int variable, int before, String type, int block) {
    if (variable == Program.NO_VARIABLE) {
      return -1;
    }
    int last = -1;
    for (int i = firstWrite[variable]; i < firstWrite[variable + 1] && writes[i] < before; i++) {
      last = writes[i];
    }
    if (last < 0) {
      return -1;
    }
    Operation operation = walk.operation(last);
    return operation.block() == block && operation.type().equals(type) ? last : -1;
  }

  /** The last branch of the block on the condition that is over before the node; -1 if none. */
  int lastBranch(int condition, int before, int block) {
    IntList heads = branches.get(condition);
    for (int i = heads == null ? -1 : heads.size() - 1; heads != null && i >= 0; i--) {
      int head = heads.get(i);
      if (walk.exitOf(head) < before && walk.operation(head).block() == block) {
        return head;
      }
    }
    return -1;
  }

  /** The nodes that negate the variable, ascending. */
  int[] negations(int variable) {
    IntList found = negations.get(variable);
    return found == null ? NONE : found.toArray();
  }

  /** Whether no node from the first to the last may write the variable. */
  boolean isUnwritten(int variable, int first, int last) {
    for (int i = firstWrite[variable]; i < firstWrite[variable + 1]; i++) {
      if (first <= writes[i] && writes[i] <= last) {
        return false;
      }
    }
    return true;
  }

  /** The nodes that read the variable, ascending; a node that reads it twice occurs twice. */
  int[] reads(int variable) {
    int[] nodes = new int[firstRead[variable + 1] - firstRead[variable]];
    System.arraycopy(reads, firstRead[variable], nodes, 0, nodes.length);
    return nodes;
  }

  /**
   * Whether the first access to the variable inside a head's body is an overwriting by an operator
   * directly in the body.
   */
  boolean isKilledFirst(int variable, int head) {
    int end = walk.exitOf(head);
    int write = firstInside(writes, firstWrite, variable, head, end);
    int read = firstInside(reads, firstRead, variable, head, end);
    if (write == end || read <= write || walk.operation(write).block() != walk.body(head)) {
      return false;
    }
    Operation operation = walk.operation(write);
    boolean kills = false;
    for (int i = 0; i < operation.outputCount(); i++) {
      if (operation.output(i) == variable) {
        kills = !walk.isHead(write) && accesses.effect(write, i) == Accesses.OutputEffect.KILLS;
      }
    }
    return kills && !walk.isOpaque(write);
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
