package dev.sublet.verify.graph;

import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.Effect;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The variables that each node reads and writes. O(arguments) to build and to visit.
 *
 * <ul>
 *   <li>A head reads the inputs of its operator and makes the implicit accesses of body entry.
 *   <li>An exit makes the implicit accesses of the body's end and may write the operator's outputs.
 *   <li>An opaque operator reads and may write all variables that its blocks touch.
 * </ul>
 */
public final class DefUses {

  /** The effect of an operator on one of its output arguments. */
  public enum OutputEffect {
    /** Overwrites the whole variable without reading it. */
    KILLS,
    /** Writes part of the variable, or all of it after it was read as an input. */
    MAY_WRITE,
    /** Reads the variable although it is not an input, and writes part of it. */
    READS_AND_WRITES,
    /** Does not change the variable: a feed, whose value is there from the start. */
    READS
  }

  /** Receives the accesses of a node, in the order in which they happen. */
  public interface Visitor {
    /** Called for a node that reads a variable. */
    void read(int node, int variable);

    /** Called for a node that writes a variable; {@code kills} for a whole write. */
    void write(int node, int variable, boolean kills);
  }

  private final NodeOrder nodes;
  private final int[] firstOutput;
  private final OutputEffect[] effects;
  private final Map<Integer, ImplicitDefUses> implicit = new HashMap<>();

  /**
   * Classifies the accesses of all nodes.
   *
   * @param mayBeEmpty whether an input of an operator may be a tensor without elements
   */
  public DefUses(NodeOrder nodes, OperatorCatalog catalog, Predicate<Operation> mayBeEmpty) {
    this.nodes = nodes;
    this.firstOutput = new int[nodes.nodeCount() + 1];
    for (int node = 0; node < nodes.nodeCount(); node++) {
      firstOutput[node + 1] = firstOutput[node] + nodes.operation(node).outputCount();
    }
    this.effects = new OutputEffect[firstOutput[nodes.nodeCount()]];
    for (int node = 0; node < nodes.nodeCount(); node++) {
      Operation operation = nodes.operation(node);
      if (nodes.isHead(node)) {
        implicit.put(node, ImplicitDefUses.of(nodes.program(), operation, nodes.control(node)));
      } else if (!nodes.isExit(node)) {
        OperatorSpec spec = catalog.lookup(operation.type());
        boolean isEmpty = spec.effects().dependOnElements() && mayBeEmpty.test(operation);
        classify(node, operation, spec, isEmpty);
      }
    }
  }

  private void classify(int node, Operation operation, OperatorSpec spec, boolean isEmpty) {
    for (int i = 0; i < operation.outputCount(); i++) {
      int variable = operation.output(i);
      boolean isArray =
          variable != Program.NO_VARIABLE
              && nodes.program().variable(variable).kind() == Variable.Kind.TENSOR_ARRAY;
      Effect effect = spec.effects().on(operation.slotOfOutput(i), isArray, isEmpty);
      effects[firstOutput[node] + i] = classify(operation, variable, effect);
    }
  }

  private static OutputEffect classify(Operation operation, int variable, Effect effect) {
    if (operation.type().equals("feed") && operation.block() == 0) {
      return OutputEffect.READS;
    }
    return switch (effect) {
      case MUST_WRITE ->
          operation.countInputs(variable) > 0 ? OutputEffect.MAY_WRITE : OutputEffect.KILLS;
      case MAY_WRITE -> OutputEffect.MAY_WRITE;
      case READ_WRITE -> OutputEffect.READS_AND_WRITES;
    };
  }

  /** Returns the effect on an output argument of a node that is neither head nor exit. */
  public OutputEffect effect(int node, int output) {
    return effects[firstOutput[node] + output];
  }

  /** Returns the implicit accesses of a head. */
  public ImplicitDefUses implicit(int head) {
    ImplicitDefUses accesses = implicit.get(head);
    if (accesses == null) {
      throw new IllegalStateException("node " + head + " is not a head");
    }
    return accesses;
  }

  /** Reports all accesses of a node to a visitor. */
  public void visit(int node, Visitor visitor) {
    Operation operation = nodes.operation(node);
    if (nodes.isHead(node)) {
      visitInputs(node, operation, visitor);
      ImplicitDefUses accesses = implicit(node);
      visitReads(node, accesses.entryReads(), visitor);
      visitWrites(node, accesses.entryWrites(), visitor);
    } else if (nodes.isExit(node)) {
      visitBodyEnd(node, visitor);
      for (int i = 0; i < operation.outputCount(); i++) {
        if (operation.output(i) != Program.NO_VARIABLE) {
          visitor.write(node, operation.output(i), /* kills= */ false);
        }
      }
    } else {
      visitStraightLine(node, operation, visitor);
    }
  }

  /**
   * Reports only the accesses that happen whenever an exit's body ends, not the possible writes of
   * the operator's outputs.
   */
  public void visitBodyEnd(int exit, Visitor visitor) {
    ImplicitDefUses accesses = implicit(nodes.headOf(exit));
    visitReads(exit, accesses.endReads(), visitor);
    visitWrites(exit, accesses.endWrites(), visitor);
  }

  private void visitStraightLine(int node, Operation operation, Visitor visitor) {
    visitInputs(node, operation, visitor);
    for (int i = 0; i < operation.outputCount(); i++) {
      OutputEffect effect = effect(node, i);
      boolean reads = effect == OutputEffect.READS || effect == OutputEffect.READS_AND_WRITES;
      if (operation.output(i) != Program.NO_VARIABLE && reads) {
        visitor.read(node, operation.output(i));
      }
    }
    visitReads(node, nodes.touches(node), visitor);
    for (int i = 0; i < operation.outputCount(); i++) {
      OutputEffect effect = effect(node, i);
      if (operation.output(i) != Program.NO_VARIABLE && effect != OutputEffect.READS) {
        visitor.write(node, operation.output(i), effect == OutputEffect.KILLS);
      }
    }
    visitWrites(node, nodes.touches(node), visitor);
  }

  private static void visitInputs(int node, Operation operation, Visitor visitor) {
    for (int i = 0; i < operation.inputCount(); i++) {
      if (operation.input(i) != Program.NO_VARIABLE) {
        visitor.read(node, operation.input(i));
      }
    }
  }

  private static void visitReads(int node, ImmutableIntArray variables, Visitor visitor) {
    for (int i = 0; i < variables.length(); i++) {
      visitor.read(node, variables.get(i));
    }
  }

  private static void visitWrites(int node, ImmutableIntArray variables, Visitor visitor) {
    for (int i = 0; i < variables.length(); i++) {
      visitor.write(node, variables.get(i), /* kills= */ false);
    }
  }
}
