package dev.sublet.verify.plan;

import com.google.common.math.LongMath;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.diag.ByteText;
import dev.sublet.diag.Location;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.Effect;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.operator.spec.ViewRule;
import dev.sublet.plan.UnneededCopy;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.VariableId;
import dev.sublet.shape.LodCarriers;
import dev.sublet.shape.Sizes;
import dev.sublet.verify.graph.NodeOrder;
import dev.sublet.verify.graph.ObservedVariables;
import dev.sublet.verify.graph.OperatorAlignment;
import dev.sublet.verify.graph.ProgramGraph;
import dev.sublet.verify.graph.Violations;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The operators that a plan lists as unneeded copies, with the checks of each operator by itself.
 *
 * <p>The operator must run at all, and either be a plain copy between the listed variables or give
 * a tensor the shape that it already has. It must copy the listed number of bytes and no LoD,
 * because the target would not get it. The interpreter checks that both variables have the same
 * location whenever the operator runs, and that the value is there. O(nodes) if any are listed.
 *
 * <pre>
 *   y = assign(x), x and y both at [0, 64)     the copy need not run
 * </pre>
 */
final class UnneededCopies {

  private final BitSet nodes = new BitSet();

  private UnneededCopies() {}

  /** Finds the nodes of a plan's unneeded copies and reports their faults as violations. */
  static UnneededCopies of(
      List<UnneededCopy> copies,
      ProgramGraph graph,
      OperatorCatalog catalog,
      Sizes sizes,
      LodCarriers lodCarriers,
      Violations violations) {
    NodeOrder nodeOrder = graph.nodes();
    UnneededCopies result = new UnneededCopies();
    if (copies.isEmpty()) {
      return result;
    }
    Map<Operation, Integer> nodeOf = new HashMap<>();
    for (int node = 0; node < nodeOrder.nodeCount(); node++) {
      nodeOf.putIfAbsent(nodeOrder.operation(node), node);
    }
    BitSet otherShapes = otherShapes(nodeOrder, sizes);
    for (UnneededCopy copy : copies) {
      Operation operation = find(nodeOrder, copy);
      Integer node = operation == null ? null : nodeOf.get(operation);
      if (operation == null || node == null) {
        violations.add(
            Location.block(copy.block()),
            "operator " + copy.operator() + " is listed as an unneeded copy, but does not run");
        continue;
      }
      Program program = nodeOrder.program();
      Optional<String> objection =
          OperatorAlignment.isCopy(program, operation, catalog)
                  || (isReshapeToSame(node, operation, program, graph.observed(), catalog, sizes)
                      && !otherShapes.get(operation.input(0)))
              ? objection(copy, operation, program, sizes, lodCarriers)
              : Optional.of(", but does not just copy a tensor");
      if (objection.isEmpty() && result.nodes.get(node)) {
        objection = Optional.of(" twice");
      }
      objection.ifPresent(
          text -> violations.add(operation.location(), "is listed as an unneeded copy" + text));
      result.nodes.set(node);
    }
    return result;
  }

  /** Finds the variables that may receive a value of another shape than their own. */
  private static BitSet otherShapes(NodeOrder nodeOrder, Sizes sizes) {
    BitSet variables = new BitSet();
    for (int node = 0; node < nodeOrder.nodeCount(); node++) {
      Operation operation = nodeOrder.operation(node);
      for (int i = 0; operation.blocks().isEmpty() && i < operation.outputCount(); i++) {
        int variable = operation.output(i);
        if (variable != Program.NO_VARIABLE && !sizes.writesOwnDims(operation, i)) {
          variables.set(variable);
        }
      }
    }
    return variables;
  }

  private static @Nullable Operation find(NodeOrder nodeOrder, UnneededCopy copy) {
    Program program = nodeOrder.program();
    boolean exists =
        0 <= copy.block()
            && copy.block() < program.blocks().size()
            && nodeOrder.isRun(copy.block())
            && 0 <= copy.operator()
            && copy.operator() < program.block(copy.block()).operations().size();
    return exists ? program.block(copy.block()).operations().get(copy.operator()) : null;
  }

  private static Optional<String> objection(
      UnneededCopy copy,
      Operation operation,
      Program program,
      Sizes sizes,
      LodCarriers lodCarriers) {
    int from = operation.input(0);
    int to = operation.output(0);
    VariableId source = program.variable(from).id();
    VariableId target = program.variable(to).id();
    if (!source.equals(copy.from()) || !target.equals(copy.to())) {
      return Optional.of(" of other variables than it copies");
    }
    if (lodCarriers.carries(from) || lodCarriers.carries(to)) {
      return Optional.of(", but may copy sequence information");
    }
    long written = sizes.bytesWritten(operation, 0);
    return copy.bytes() == written || copy.bytes() == sizes.bytes(from)
        ? Optional.empty()
        : Optional.of(
            " of " + ByteText.inWords(copy.bytes()) + ", but copies " + ByteText.exact(written));
  }

  /**
   * Whether an operator gives a tensor the shape that it already has and has no other visible
   * effect. All elements keep their positions, so the operator is a copy.
   */
  private static boolean isReshapeToSame(
      int node,
      Operation operation,
      Program program,
      ObservedVariables observed,
      OperatorCatalog catalog,
      Sizes sizes) {
    OperatorSpec spec = catalog.lookup(operation.type());
    ViewRule view = spec.viewRule();
    if (view == null
        || !view.isReshape()
        || !operation.blocks().isEmpty()
        || operation.inputCount() != 1
        || operation.outputCount() == 0
        || !OperatorAlignment.isTensor(program, operation.input(0))
        || !OperatorAlignment.isTensor(program, operation.output(0))
        || operation.firstInput(view.input()) != 0
        || operation.firstOutput(view.output()) != 0
        || spec.effects().on(view.output()) != Effect.MUST_WRITE
        || sizes.dataType(operation.input(0)) != sizes.dataType(operation.output(0))
        || !hasExactly(operation.input(0), sizes.dims(operation.output(0)), sizes)
        || !hasExactly(operation.output(0), sizes.dims(operation.input(0)), sizes)
        || !sizes.writesOwnDims(operation, 0)) {
      return false;
    }
    for (int i = 1; i < operation.outputCount(); i++) {
      int other = operation.output(i);
      if (other != Program.NO_VARIABLE && !observed.isOnlyWritten(node, other)) {
        return false;
      }
    }
    return true;
  }

  /** Whether a tensor has exactly these extents: its size is their product and not just a bound. */
  private static boolean hasExactly(int variable, ImmutableLongArray extents, Sizes sizes) {
    if (sizes.isBound(variable) || !sizes.dims(variable).equals(extents)) {
      return false;
    }
    long bytes = sizes.dataType(variable).bytes();
    for (int axis = 0; axis < extents.length(); axis++) {
      if (extents.get(axis) < 0) {
        return false;
      }
      bytes = LongMath.saturatedMultiply(bytes, extents.get(axis));
    }
    return bytes == sizes.bytes(variable);
  }

  /** Whether the node's operator need not run. */
  boolean isUnneeded(int node) {
    return nodes.get(node);
  }

  /** Returns the nodes of the operators that need not run, ascending. */
  BitSet nodes() {
    return nodes;
  }
}
