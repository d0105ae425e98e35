package dev.sublet.verify.rewrite;

import dev.sublet.operator.OperatorCatalog;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.verify.graph.DefUses;
import dev.sublet.verify.graph.NodeOrder;
import dev.sublet.verify.graph.OperatorAlignment;
import dev.sublet.verify.graph.ProgramGraph;
import dev.sublet.verify.graph.Violations;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * Checks that no copy of a rewritten program reads a variable before anything has written it: the
 * runtime ends the run there, also if nothing reads the copy.
 *
 * <pre>
 *   original    a = relu(x)   b = assign(a)
 *   rewritten   b = assign(a)   a = relu(x)     a violation
 * </pre>
 *
 * <p>An operator that comes after a copy runs before the copy's first run only if it is in a loop
 * around the copy's block, after this block. Copies of the original that read such a variable may
 * remain. O(accesses), and as much for each copy that is in such a loop and reads before all
 * writes.
 */
final class UnsetCopies {

  private static final int NONE = -1;

  private final NodeOrder nodes;
  private final DefUses accesses;

  /** By variable that a copy reads before anything writes it: the first such copy. */
  private final Map<Integer, Operation> found = new HashMap<>();

  private UnsetCopies(NodeOrder nodes, DefUses accesses, OperatorCatalog catalog) {
    this.nodes = nodes;
    this.accesses = accesses;
    BitSet written = new BitSet();
    for (int node = 0; node < nodes.nodeCount(); node++) {
      Operation operation = nodes.operation(node);
      if (OperatorAlignment.isCopy(nodes.program(), operation, catalog)) {
        int source = operation.input(0);
        if (!written.get(source) && !isWrittenByLoop(operation.block(), source)) {
          found.putIfAbsent(source, operation);
        }
      }
      addWrites(node, written);
    }
  }

  private void addWrites(int node, BitSet written) {
    accesses.visit(
        node,
        new DefUses.Visitor() {
          @Override
          public void read(int at, int variable) {}

          @Override
          public void write(int at, int variable, boolean kills) {
            written.set(variable);
          }
        });
  }

  /** Whether a loop around a block writes a variable after the block, before the block runs. */
  private boolean isWrittenByLoop(int block, int variable) {
    int head = nodes.headOfBlock(block);
    int end = head == NONE ? NONE : endOfLoops(nodes.operation(head).block());
    BitSet written = new BitSet();
    for (int node = head == NONE ? 0 : nodes.exitOf(head) + 1; node <= end; node++) {
      addWrites(node, written);
    }
    return written.get(variable);
  }

  /** The exit of the outermost loop around the operators of a block. O(depth). */
  private int endOfLoops(int block) {
    int end = NONE;
    int head = nodes.headOfBlock(block);
    while (head != NONE) {
      end = nodes.control(head).isLoop() ? nodes.exitOf(head) : end;
      head = nodes.headOfBlock(nodes.operation(head).block());
    }
    return end;
  }

  /** Adds a violation for every variable that only the rewritten program copies too early. */
  static void check(
      ProgramGraph graph,
      Program rewritten,
      OperatorCatalog catalog,
      NameAssignment assignment,
      Violations violations) {
    UnsetCopies before = new UnsetCopies(graph.nodes(), graph.accesses(), catalog);
    NodeOrder nodes = NodeOrder.of(rewritten, catalog);
    DefUses accesses = new DefUses(nodes, catalog, operation -> true);
    UnsetCopies after = new UnsetCopies(nodes, accesses, catalog);
    after.found.forEach(
        (variable, copy) -> {
          int owner = assignment.owner(variable);
          boolean isSet =
              owner != Program.NO_VARIABLE
                  && (graph.observed().isDefinedAtStart(owner) || before.found.containsKey(owner));
          if (!isSet) {
            violations.add(copy, rewritten.variable(variable), "is copied before it is written");
          }
        });
  }
}
