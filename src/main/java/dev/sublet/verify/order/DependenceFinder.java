package dev.sublet.verify.order;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ListMultimap;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.ControlKind;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.operator.spec.OrderRule;
import dev.sublet.program.AttributeReference;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import dev.sublet.verify.graph.DefUses;
import dev.sublet.verify.graph.LoopExits;
import dev.sublet.verify.graph.NodeOrder;
import dev.sublet.verify.graph.ProgramGraph;
import dev.sublet.verify.order.Dependence.Reason;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds the dependences between the operators of a block. An operator that runs blocks counts as
 * one, with all that its blocks read and write.
 *
 * <pre>
 *   0 a = relu(x)
 *   1 b = tanh(a)     1 after 0: reads a
 *   2 a = exp(x)      2 after 1: overwrites a;  2 after 0: writes a
 * </pre>
 *
 * <p>Found are those dependences from which all others follow: an order that keeps them gives every
 * read the value of the same write, and leaves the same values at the end. Variables that an
 * operator makes share a buffer count as one variable. In a loop, an order that keeps the
 * dependences leaves each iteration the same values. O(accesses × log) for each block.
 */
final class DependenceFinder {

  private static final int NONE = -1;

  private final ProgramGraph graph;
  private final NodeOrder nodes;
  private final LoopExits exits;
  private final OperatorCatalog catalog;
  private ImmutableList.Builder<Dependence> found = ImmutableList.builder();

  /** By variable: another variable that may have the same buffer, or itself. */
  private final int[] sharer;

  /** By shared buffer: the last operator that writes it, and those that have read it since. */
  private final Map<Integer, Integer> lastWriter = new HashMap<>();

  private final ListMultimap<Integer, Integer> readers = ArrayListMultimap.create();

  private final Set<Integer> read = new TreeSet<>();
  private final Set<Integer> written = new TreeSet<>();
  private OrderRule rule = OrderRule.FREE;
  private int lastBarrier = NONE;
  private int lastOrdered = NONE;

  private int block;

  /** Creates a finder for the blocks of a program. */
  DependenceFinder(ProgramGraph graph, OperatorCatalog catalog) {
    this.graph = graph;
    this.nodes = graph.nodes();
    this.exits = LoopExits.of(nodes, graph.savedScopes());
    this.catalog = catalog;
    int variables = graph.program().variableCount();
    this.sharer = new int[variables];
    for (int v = 0; v < variables; v++) {
      sharer[v] = v;
    }
    joinSharers();
  }

  /** Finds the dependences between the operators of a block that has nodes. */
  ImmutableList<Dependence> find(int inBlock) {
    block = inBlock;
    found = ImmutableList.builder();
    lastWriter.clear();
    readers.clear();
    lastBarrier = NONE;
    lastOrdered = NONE;
    followOperators();
    return found.build();
  }

  private void joinSharers() {
    Program program = graph.program();
    for (Block each : program.blocks()) {
      for (Operation operation : each.operations()) {
        if (catalog.lookup(operation.type()).aliases(program.version())) {
          joinArguments(operation);
        }
      }
    }
  }

  private void joinArguments(Operation operation) {
    int first = Program.NO_VARIABLE;
    for (int i = 0; i < operation.inputCount() + operation.outputCount(); i++) {
      int inputs = operation.inputCount();
      int variable = i < inputs ? operation.input(i) : operation.output(i - inputs);
      if (variable != Program.NO_VARIABLE && first != Program.NO_VARIABLE) {
        sharer[buffer(variable)] = buffer(first);
      }
      first = variable == Program.NO_VARIABLE ? first : variable;
    }
  }

  /** A variable that stands for all that may share the buffer of the given one. */
  private int buffer(int variable) {
    int root = variable;
    while (sharer[root] != root) {
      sharer[root] = sharer[sharer[root]];
      root = sharer[root];
    }
    return root;
  }

  private void followOperators() {
    int current = NONE;
    int head = nodes.headOfBlock(block);
    int end = block == 0 ? nodes.nodeCount() : nodes.exitOf(head);
    for (int node = block == 0 ? 0 : head + 1; node < end; node++) {
      Operation operation = nodes.operation(node);
      if (operation.block() == block && !nodes.isExit(node)) {
        close(current);
        current = operation.index();
      }
      add(node, operation);
    }
    close(current);
  }

  private void add(int node, Operation operation) {
    graph
        .accesses()
        .visit(
            node,
            new DefUses.Visitor() {
              @Override
              public void read(int at, int variable) {
                read.add(variable);
              }

              @Override
              public void write(int at, int variable, boolean kills) {
                written.add(variable);
              }
            });
    for (AttributeReference reference : graph.program().attributeReferences(operation)) {
      read.add(reference.variable());
    }
    OperatorSpec spec = catalog.lookup(operation.type());
    boolean isWholeInput = writesAnyInput(operation, spec);
    for (Slot slot : operation.inputSlots()) {
      if (isWholeInput || spec.writtenInputs().contains(slot.name())) {
        addWritten(slot);
      }
    }
    boolean isOpaque = !operation.blocks().isEmpty() && !nodes.isHead(node) && !nodes.isExit(node);
    // A branch that ends the loop around it stays the last operator of the loop's body.
    boolean isExit = operation.block() == block && exits.loop(node) >= 0;
    OrderRule own = isOpaque || isExit ? OrderRule.FIXED : spec.order(operation);
    rule = own.compareTo(rule) > 0 ? own : rule;
  }

  /**
   * Whether an operator may write all its inputs: one without outputs, such as {@code delete_var},
   * and one that links variables of its block with its inputs.
   */
  private static boolean writesAnyInput(Operation operation, OperatorSpec spec) {
    boolean links = spec.control().isGradient() || spec.control() == ControlKind.RECURRENT;
    for (int i = 0; i < operation.outputCount(); i++) {
      if (operation.output(i) != Program.NO_VARIABLE) {
        return links;
      }
    }
    return true;
  }

  private void addWritten(Slot slot) {
    for (int i = 0; i < slot.size(); i++) {
      if (slot.variable(i) != Program.NO_VARIABLE) {
        written.add(slot.variable(i));
      }
    }
  }

  /** Adds the dependences of an operator whose accesses are complete. */
  private void close(int operator) {
    if (operator == NONE) {
      return;
    }
    for (int variable : read) {
      add(lastWriter(variable), operator, variable, Reason.READS_RESULT);
    }
    for (int variable : written) {
      for (int reader : readers.get(buffer(variable))) {
        add(reader, operator, variable, Reason.OVERWRITES_READ);
      }
      add(lastWriter(variable), operator, variable, Reason.OVERWRITES_WRITTEN);
    }
    addRule(operator);
    for (int variable : written) {
      lastWriter.put(buffer(variable), operator);
      readers.removeAll(buffer(variable));
    }
    for (int variable : read) {
      if (lastWriter(variable) != operator) {
        readers.put(buffer(variable), operator);
      }
    }
    read.clear();
    written.clear();
    rule = OrderRule.FREE;
  }

  private int lastWriter(int variable) {
    return lastWriter.getOrDefault(buffer(variable), NONE);
  }

  private void addRule(int operator) {
    if (rule.isBarrier()) {
      for (int i = Math.max(0, lastBarrier); i < operator; i++) {
        add(i, operator, Program.NO_VARIABLE, Reason.BARRIER);
      }
      lastBarrier = operator;
    } else {
      add(lastBarrier, operator, Program.NO_VARIABLE, Reason.BARRIER);
    }
    if (rule == OrderRule.ORDERED) {
      add(lastOrdered, operator, Program.NO_VARIABLE, Reason.ORDERED);
      lastOrdered = operator;
    }
  }

  private void add(int before, int after, int variable, Reason reason) {
    if (before != NONE) {
      found.add(new Dependence(block, before, after, variable, reason));
    }
  }
}
