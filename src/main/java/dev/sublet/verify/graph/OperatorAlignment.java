package dev.sublet.verify.graph;

import com.google.common.collect.ImmutableList;
import dev.sublet.diag.Location;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.Effect;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import dev.sublet.program.Variable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The operator of the rewritten program that corresponds to each node of the original.
 *
 * <p>Copies and {@code delete_var} may be in one program only: they move values between variables
 * of their own program, so each can be interpreted by itself. All other operators must correspond
 * one to one, in order, and so must some copies, see {@link CopyPairs}. O(operators).
 *
 * <pre>
 *   original    a = relu(x)   b = assign(a)   c = tanh(b)
 *   rewritten   a = relu(x)                   c = tanh(a)      the copy has no counterpart
 * </pre>
 */
public final class OperatorAlignment {

  private final NodeOrder nodeOrder;
  private final Program rewritten;
  private final OperatorCatalog catalog;
  private final CopyPairs pairs;
  private final Violations violations;
  private final @Nullable Operation[] counterparts;

  /** By node: operators without a partner in the original that run before the node. */
  private final Map<Integer, List<Operation>> extras = new HashMap<>();

  private final Set<Operation> ontoThemselves = new HashSet<>();

  /** The original's operators in blocks without nodes; their counterparts have the same index. */
  private final List<Operation> unreached = new ArrayList<>();

  private OperatorAlignment(
      NodeOrder nodeOrder,
      Program rewritten,
      OperatorCatalog catalog,
      UnrenamableVariables neverRenamed,
      Violations violations) {
    this.nodeOrder = nodeOrder;
    this.rewritten = rewritten;
    this.catalog = catalog;
    this.pairs = new CopyPairs(nodeOrder, rewritten, neverRenamed);
    this.violations = violations;
    this.counterparts = new Operation[nodeOrder.nodeCount()];
  }

  /** Aligns all blocks; reports blocks that do not correspond as violations. */
  public static OperatorAlignment of(
      NodeOrder nodeOrder,
      Program rewritten,
      OperatorCatalog catalog,
      UnrenamableVariables neverRenamed,
      Violations violations) {
    OperatorAlignment alignment =
        new OperatorAlignment(nodeOrder, rewritten, catalog, neverRenamed, violations);
    List<IntList> nodes = new ArrayList<>();
    int[] ends = new int[nodeOrder.program().blocks().size()];
    for (int b = 0; b < ends.length; b++) {
      nodes.add(new IntList());
    }
    ends[0] = nodeOrder.nodeCount();
    for (int node = 0; node < nodeOrder.nodeCount(); node++) {
      if (nodeOrder.isExit(node)) {
        ends[nodeOrder.body(nodeOrder.headOf(node))] = node;
      } else {
        nodes.get(nodeOrder.operation(node).block()).add(node);
      }
    }
    for (Block block : nodeOrder.program().blocks()) {
      if (nodeOrder.isRun(block.index())) {
        alignment.alignRun(nodes.get(block.index()), ends[block.index()], block.index());
      } else {
        alignment.alignUnreached(block);
      }
    }
    alignment.copyToExits();
    return alignment;
  }

  private void copyToExits() {
    for (int node = 0; node < counterparts.length; node++) {
      if (nodeOrder.isExit(node)) {
        counterparts[node] = counterparts[nodeOrder.headOf(node)];
      }
    }
  }

  private void alignUnreached(Block block) {
    ImmutableList<Operation> others = rewritten.block(block.index()).operations();
    if (others.size() != block.operations().size()) {
      violations.add(
          Location.block(block.index()),
          "the block's operators were changed, though it is not known how it runs");
      return;
    }
    for (int i = 0; i < others.size(); i++) {
      if (checkSameForm(block.operations().get(i), others.get(i))) {
        unreached.add(block.operations().get(i));
      }
    }
  }

  private void alignRun(IntList nodes, int end, int block) {
    ImmutableList<Operation> others = rewritten.block(block).operations();
    int i = 0;
    int j = 0;
    while (true) {
      int firstSilent = i;
      int firstOther = j;
      while (i < nodes.size() && isSilent(nodeOrder.program(), nodeOrder.operation(nodes.get(i)))) {
        i++;
      }
      while (j < others.size() && isSilent(rewritten, others.get(j))) {
        j++;
      }
      int next = i < nodes.size() ? nodes.get(i) : end;
      alignSilent(nodes, firstSilent, i, others.subList(firstOther, j), next);
      if (i == nodes.size() || j == others.size()) {
        break;
      }
      if (!checkSameForm(nodeOrder.operation(next), others.get(j))) {
        return;
      }
      counterparts[next] = others.get(j);
      i++;
      j++;
    }
    if (i < nodes.size()) {
      violations.add(
          nodeOrder.operation(nodes.get(i)).location(), "the rewritten program lacks the operator");
    } else if (j < others.size()) {
      violations.add(
          Location.block(block),
          "the rewritten program has an operator that the original lacks: op "
              + others.get(j).index()
              + " ("
              + others.get(j).type()
              + ")");
    }
  }

  /** Aligns adjacent copies and deletions of both programs. */
  private void alignSilent(IntList nodes, int first, int last, List<Operation> others, int next) {
    IntList copies = new IntList();
    for (int i = first; i < last; i++) {
      if (isCopy(nodeOrder.program(), nodeOrder.operation(nodes.get(i)))) {
        copies.add(nodes.get(i));
      }
    }
    List<Operation> otherCopies = new ArrayList<>();
    for (Operation other : others) {
      if (isCopy(rewritten, other)) {
        otherCopies.add(other);
      }
    }
    int[] partners = pairs.partners(copies, otherCopies);
    noteOntoThemselves(copies, otherCopies, partners);
    addSilent(others, copies, partners, next);
  }

  /**
   * Notes which unpaired copies of a variable onto itself are accepted: at most as many as the
   * original has.
   */
  private void noteOntoThemselves(IntList copies, List<Operation> others, int[] partners) {
    int left = 0;
    for (int i = 0; i < copies.size(); i++) {
      left += isOntoItself(nodeOrder.operation(copies.get(i))) ? 1 : 0;
    }
    for (int partner : partners) {
      left -= partner >= 0 && isOntoItself(nodeOrder.operation(copies.get(partner))) ? 1 : 0;
    }
    for (int i = 0; i < partners.length; i++) {
      if (partners[i] < 0 && isOntoItself(others.get(i)) && left-- > 0) {
        ontoThemselves.add(others.get(i));
      }
    }
  }

  /**
   * Enters the pairs. An operator without a partner is entered as an extra before the node of the
   * next paired copy, or before {@code next} if no paired copy follows.
   */
  private void addSilent(List<Operation> others, IntList copies, int[] partners, int next) {
    int before = next;
    int copy = partners.length;
    ArrayDeque<Operation> unpaired = new ArrayDeque<>();
    for (int i = others.size() - 1; i >= 0; i--) {
      Operation other = others.get(i);
      int partner = isCopy(rewritten, other) ? partners[--copy] : -1;
      if (partner < 0) {
        unpaired.addFirst(other);
        continue;
      }
      addExtras(before, unpaired);
      before = copies.get(partner);
      if (checkSameForm(nodeOrder.operation(before), other)) {
        counterparts[before] = other;
      }
    }
    addExtras(before, unpaired);
  }

  private void addExtras(int before, ArrayDeque<Operation> operations) {
    if (!operations.isEmpty()) {
      extras.computeIfAbsent(before, node -> new ArrayList<>()).addAll(operations);
      operations.clear();
    }
  }

  private static boolean isOntoItself(Operation copy) {
    return copy.input(0) == copy.output(0);
  }

  /**
   * Whether an extra copy of a variable onto itself is accepted, because the original has such a
   * copy here too.
   */
  public boolean isLeftOntoItself(Operation extra) {
    return ontoThemselves.contains(extra);
  }

  private boolean isSilent(Program program, Operation operation) {
    return isDeletion(operation) || isCopy(program, operation);
  }

  /** Whether the operator only frees its inputs. */
  public static boolean isDeletion(Operation operation) {
    return operation.isPlain("delete_var") && operation.outputCount() == 0;
  }

  /** Whether the operator copies one dense tensor to another and does nothing else. */
  public boolean isCopy(Program program, Operation operation) {
    return isCopy(program, operation, catalog);
  }

  /** Whether the operator copies one dense tensor to another and does nothing else. */
  public static boolean isCopy(Program program, Operation operation, OperatorCatalog catalog) {
    return operation.isPlain("assign")
        && operation.inputCount() == 1
        && operation.outputCount() == 1
        && catalog.lookup("assign").effects().on(operation.outputSlots().get(0).name())
            == Effect.MUST_WRITE
        && isTensor(program, operation.input(0))
        && isTensor(program, operation.output(0));
  }

  /** Whether the variable is a dense tensor. */
  public static boolean isTensor(Program program, int variable) {
    return variable != Program.NO_VARIABLE
        && program.variable(variable).kind() == Variable.Kind.TENSOR;
  }

  private boolean checkSameForm(Operation original, Operation other) {
    Optional<String> objection = headObjection(original, other);
    if (objection.isEmpty() && !haveSameSlots(original, other)) {
      objection =
          slotObjection(original.inputSlots(), other.inputSlots(), "input")
              .or(() -> slotObjection(original.outputSlots(), other.outputSlots(), "output"));
    }
    if (objection.isEmpty() && !original.hasSameFurtherFields(other)) {
      objection =
          Optional.of("fields beside type, slots and attributes were changed, added or removed");
    }
    objection.ifPresent(text -> violations.add(original.location(), text));
    return objection.isEmpty();
  }

  private static Optional<String> headObjection(Operation original, Operation other) {
    if (!original.type().equals(other.type())) {
      return Optional.of("the rewritten program has an operator of type " + other.type() + " here");
    }
    if (original.isTarget() != other.isTarget()) {
      return Optional.of("is_target was changed");
    }
    return original.blocks().equals(other.blocks())
        ? Optional.empty()
        : Optional.of("the blocks that the operator runs were changed");
  }

  /** Whether the slots are the same, and the same of their arguments are empty. */
  private static boolean haveSameSlots(Operation original, Operation other) {
    boolean isSame = original.hasSlotsOf(other);
    for (int i = 0; isSame && i < original.inputCount(); i++) {
      isSame =
          (original.input(i) == Program.NO_VARIABLE) == (other.input(i) == Program.NO_VARIABLE);
    }
    for (int i = 0; isSame && i < original.outputCount(); i++) {
      isSame =
          (original.output(i) == Program.NO_VARIABLE) == (other.output(i) == Program.NO_VARIABLE);
    }
    return isSame;
  }

  private static Optional<String> slotObjection(
      ImmutableList<Slot> slots, ImmutableList<Slot> others, String kind) {
    if (slots.size() != others.size()) {
      return Optional.of("the number of " + kind + " slots was changed");
    }
    for (int i = 0; i < slots.size(); i++) {
      Slot slot = slots.get(i);
      Slot other = others.get(i);
      if (!slot.name().equals(other.name()) || slot.size() != other.size()) {
        return Optional.of(kind + " slot '" + slot.name() + "' was changed");
      }
      for (int j = 0; j < slot.size(); j++) {
        if ((slot.variable(j) == Program.NO_VARIABLE)
            != (other.variable(j) == Program.NO_VARIABLE)) {
          return Optional.of(
              kind + " slot '" + slot.name() + "': an empty argument was filled or emptied");
        }
      }
    }
    return Optional.empty();
  }

  /** Returns the rewritten program. */
  public Program rewritten() {
    return rewritten;
  }

  /**
   * Returns the rewritten program's operator for a node; null for a copy or deletion that the
   * rewritten program lacks.
   */
  public @Nullable Operation counterpart(int node) {
    return counterparts[node];
  }

  /**
   * Returns the rewritten program's operator for a node that is neither a copy nor a deletion.
   *
   * @throws IllegalStateException if the node has no counterpart
   */
  public Operation requireCounterpart(int node) {
    Operation counterpart = counterparts[node];
    if (counterpart == null) {
      throw new IllegalStateException("node " + node + " has no counterpart");
    }
    return counterpart;
  }

  /**
   * Returns the copies and deletions without a partner in the original that run before the node.
   */
  public List<Operation> extrasBefore(int node) {
    return extras.getOrDefault(node, ImmutableList.of());
  }

  /** Returns the original's operators in blocks without nodes, as those of opaque operators. */
  public List<Operation> unreached() {
    return unreached;
  }

  /** Returns the counterpart of an operator in a block without nodes. */
  public Operation unreachedCounterpart(Operation operation) {
    return rewritten.block(operation.block()).operations().get(operation.index());
  }
}
