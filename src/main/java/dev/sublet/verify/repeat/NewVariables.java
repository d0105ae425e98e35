package dev.sublet.verify.repeat;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.ListMultimap;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.operator.spec.OrderRule;
import dev.sublet.program.AttributeReference;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import dev.sublet.program.Variable;
import dev.sublet.verify.graph.DefUses;
import dev.sublet.verify.graph.NodeOrder;
import dev.sublet.verify.graph.ProgramGraph;
import java.util.BitSet;
import java.util.List;
import java.util.Set;

/**
 * The variables of a program's first block that its original does not declare, with the accesses to
 * all variables. O(accesses) to build.
 */
final class NewVariables {

  private static final int NONE = -1;

  private final ProgramGraph graph;
  private final ProgramGraph original;
  private final NodeOrder nodes;
  private final OperatorCatalog catalog;
  private final BitSet isNew = new BitSet();

  /** The nodes that read each variable, ascending. */
  private final ListMultimap<Integer, Integer> readers = ArrayListMultimap.create();

  /** The nodes that write each variable, ascending. */
  private final ListMultimap<Integer, Integer> writers = ArrayListMultimap.create();

  /** The variables that an operator writes in part, or that an attribute names. */
  private final BitSet isSpecial = new BitSet();

  /** The nodes that write a variable with which others may share a buffer. */
  private final BitSet writesShared = new BitSet();

  NewVariables(ProgramGraph graph, ProgramGraph original, OperatorCatalog catalog) {
    this.graph = graph;
    this.original = original;
    this.nodes = graph.nodes();
    this.catalog = catalog;
    for (Variable variable : graph.program().block(0).variables()) {
      boolean isKnown = original.program().declared(0, variable.name()) != Program.NO_VARIABLE;
      isNew.set(variable.index(), !isKnown);
    }
    for (int node = 0; node < nodes.nodeCount() && !isNew.isEmpty(); node++) {
      addAccesses(node);
    }
  }

  private void addAccesses(int node) {
    Operation operation = nodes.operation(node);
    graph
        .accesses()
        .visit(
            node,
            new DefUses.Visitor() {
              @Override
              public void read(int at, int variable) {
                readers.put(variable, at);
              }

              @Override
              public void write(int at, int variable, boolean kills) {
                addWrite(at, variable, kills);
              }
            });
    for (AttributeReference reference : graph.program().attributeReferences(operation)) {
      isSpecial.set(reference.variable());
    }
    for (Slot slot : operation.inputSlots()) {
      boolean isWritten = catalog.lookup(operation.type()).writtenInputs().contains(slot.name());
      for (int i = 0; i < slot.size(); i++) {
        if (isWritten && slot.variable(i) != Program.NO_VARIABLE) {
          addWrite(node, slot.variable(i), /* kills= */ false);
        }
      }
    }
  }

  private void addWrite(int node, int variable, boolean kills) {
    writers.put(variable, node);
    isSpecial.set(variable, isSpecial.get(variable) || !kills);
    writesShared.set(node, writesShared.get(node) || graph.neverRenamed().isAliased(variable));
  }

  /** Whether the original declares all variables. */
  boolean isEmpty() {
    return isNew.isEmpty();
  }

  /** The program. */
  Program program() {
    return graph.program();
  }

  /** Whether the original does not declare a variable of the first block. */
  boolean isNew(int variable) {
    return isNew.get(variable);
  }

  /** Whether a node is an operator of the first block that runs no block and changes no input. */
  boolean isPlain(int node) {
    Operation operation = nodes.operation(node);
    return operation.block() == 0
        && operation.blocks().isEmpty()
        && catalog.lookup(operation.type()).writtenInputs().isEmpty();
  }

  /** The operator of a node. */
  Operation operation(int node) {
    return nodes.operation(node);
  }

  /** The number of nodes. */
  int nodeCount() {
    return nodes.nodeCount();
  }

  /**
   * The only node that writes a variable, if it writes all of it in the first block; else -1. No
   * attribute names the variable.
   */
  int onlyWriter(int variable) {
    List<Integer> all = writers.get(variable);
    boolean isPlain =
        all.size() == 1
            && !isSpecial.get(variable)
            && graph.program().variable(variable).block() == 0
            && isPlain(all.get(0));
    return isPlain ? all.get(0) : NONE;
  }

  /** The nodes that read a variable, ascending. */
  List<Integer> readers(int variable) {
    return readers.get(variable);
  }

  /**
   * Whether a new variable is nothing but a tensor between operators of the first block: it is
   * neither fed, observed nor persistable, and all of its readers come after its only writer.
   */
  boolean isBetweenOperators(int variable) {
    int writer = onlyWriter(variable);
    boolean isOwn =
        isNew(variable)
            && writer != NONE
            && graph.program().variable(variable).kind() == Variable.Kind.TENSOR
            && !isSeen(variable);
    for (int reader : readers.get(variable)) {
      isOwn &= reader > writer && isPlain(reader);
    }
    return isOwn;
  }

  /** Whether a variable may be used by another run, or by the program's caller. */
  private boolean isSeen(int variable) {
    return graph.program().variable(variable).isPersistable()
        || graph.observed().isObserved(variable)
        || graph.observed().isFeed(variable);
  }

  /** Whether no operator reads a variable, and neither does the program's caller. */
  boolean isDead(int variable) {
    return !isSeen(variable) && readers.get(variable).isEmpty();
  }

  /**
   * Whether a name of the first block is free for a tensor between operators: the original declares
   * it for a tensor that is not seen outside, and no operator of this program uses it.
   */
  boolean isFree(String name) {
    Program before = original.program();
    int declared = before.declared(0, name);
    int own = program().declared(0, name);
    return declared != Program.NO_VARIABLE
        && before.variable(declared).kind() == Variable.Kind.TENSOR
        && !before.variable(declared).isPersistable()
        && !original.observed().isObserved(declared)
        && !original.observed().isFeed(declared)
        && (own == Program.NO_VARIABLE || isUnused(own));
  }

  private boolean isUnused(int variable) {
    return !isSeen(variable)
        && !isSpecial.get(variable)
        && readers.get(variable).isEmpty()
        && writers.get(variable).isEmpty();
  }

  /** The original, which declares the variables that are not new. */
  Program original() {
    return original.program();
  }

  /**
   * Whether a variable keeps its value: no node of a range writes it, nor a variable that may have
   * the same buffer.
   *
   * @param first the first node of the range
   * @param last the last one
   * @param ignored nodes that surely leave the value as it is
   */
  boolean keepsValue(int variable, int first, int last, Set<Integer> ignored) {
    boolean isShared = graph.neverRenamed().isAliased(variable);
    for (int node = first; node <= last; node++) {
      boolean mayChange =
          writers.get(variable).contains(node) || (isShared && writesShared.get(node));
      if (mayChange && !ignored.contains(node)) {
        return false;
      }
    }
    return true;
  }

  /** Whether the outputs of an operator depend on its arguments alone, and nothing else changes. */
  boolean dependsOnArguments(Operation operation) {
    OperatorSpec spec = catalog.lookup(operation.type());
    return spec.order(operation) == OrderRule.FREE;
  }
}
