package dev.sublet.loop;

import com.google.common.math.LongMath;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.cfg.AccessTable;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.liveness.Liveness;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.shape.LodCarriers;
import dev.sublet.shape.MemorySpaces;
import dev.sublet.shape.Sizes;
import java.util.BitSet;

/**
 * The facts that decide whether two values can have one location, apart from the structure of
 * loops.
 */
final class VariableFacts {

  private final Liveness liveness;
  private final ControlFlowGraph graph;
  private final Sizes sizes;
  private final LodCarriers lod;
  private final MemorySpaces places;
  private final OperatorCatalog catalog;

  /** The variables whose names an inner block declares again. */
  private final BitSet shadowed = new BitSet();

  /** Gathers the facts. O(variables × nesting depth). */
  VariableFacts(ProgramFacts facts) {
    this.liveness = facts.liveness();
    this.graph = liveness.graph();
    this.sizes = facts.sizes();
    this.lod = facts.lod();
    this.places = facts.places();
    this.catalog = facts.catalog();
    Program program = graph.program();
    for (Variable variable : program.variables()) {
      Block block = program.block(variable.block());
      int outer = block.parent() < 0 ? -1 : program.resolve(block.parent(), variable.name());
      if (outer >= 0) {
        shadowed.set(outer);
      }
    }
  }

  ControlFlowGraph graph() {
    return graph;
  }

  LiveRanges ranges() {
    return liveness.ranges();
  }

  /** Whether two variables can have one location: same bytes, shape, type, LoD and memory space. */
  boolean areAlike(int a, int b) {
    return haveSameBytes(a, b)
        && sizes.dims(a).equals(sizes.dims(b))
        && graph.program().variable(a).hasSameType(graph.program().variable(b))
        && lod.carries(a) == lod.carries(b)
        && areInOneMemorySpace(a, b);
  }

  /** Whether two variables have elements of one type, and as many bytes. */
  boolean haveSameBytes(int a, int b) {
    boolean sameBytes =
        sizes.areSame(a, b)
            || (sizes.isKnown(a) && sizes.isKnown(b) && sizes.bytes(a) == sizes.bytes(b));
    return sameBytes && sizes.dataType(a) == sizes.dataType(b);
  }

  boolean areInOneMemorySpace(int a, int b) {
    return places.areSame(a, b);
  }

  /**
   * Whether two tensors have the same shape for the given feeds. False if an extent is not known or
   * only bounded.
   */
  boolean haveSameShape(int a, int b) {
    return isShapeKnown(a) && isShapeKnown(b) && sizes.dims(a).equals(sizes.dims(b));
  }

  /** Whether an operator surely writes an output argument with the extents of its variable. */
  boolean writesOwnDims(Operation operation, int output) {
    return sizes.writesOwnDims(operation, output);
  }

  private boolean isShapeKnown(int variable) {
    ImmutableLongArray dims = sizes.dims(variable);
    long bytes = sizes.dataType(variable).bytes();
    for (int axis = 0; axis < dims.length(); axis++) {
      if (dims.get(axis) < 0) {
        return false;
      }
      bytes = LongMath.saturatedMultiply(bytes, dims.get(axis));
    }
    // With extents that are only bounds, the product exceeds the number of bytes.
    return sizes.isKnown(variable) && !sizes.isBound(variable) && sizes.bytes(variable) == bytes;
  }

  /**
   * Whether every value of a web is as large as its variable. Other values of the variable may be
   * larger than a value that is not.
   */
  boolean isFilled(int variable, int web) {
    LiveRanges ranges = liveness.ranges();
    AccessTable accesses = graph.accesses();
    for (int access = accesses.begin(variable); access < accesses.end(variable); access++) {
      int node = accesses.node(access);
      if (accesses.writes(access) && graph.isKernel(node) && ranges.contains(web, 2 * node + 1)) {
        Operation operation = graph.operation(node);
        for (int i = 0; i < operation.outputCount(); i++) {
          if (operation.output(i) == variable
              && sizes.bytesWritten(operation, i) >= 0
              && sizes.bytesWritten(operation, i) < sizes.bytes(variable)) {
            return false;
          }
        }
      }
    }
    return true;
  }

  /**
   * Whether an inner block declares the variable's name again. In that block the name denotes the
   * inner variable.
   */
  boolean isShadowed(int variable) {
    return shadowed.get(variable);
  }

  boolean carriesLod(int variable) {
    return lod.carries(variable);
  }

  boolean isKnown(int variable) {
    return sizes.isKnown(variable);
  }

  boolean isObserved(int variable) {
    return liveness.observation().isObserved(variable);
  }

  boolean keepsName(int variable) {
    return liveness.observation().keepsName(variable) || graph.pinned().isPinned(variable);
  }

  /** Whether the operator at a node may compute one variable in the location of another one. */
  boolean mayWorkInPlace(int node, int source, int target) {
    Operation operation = graph.operation(node);
    return graph.regionAtHead(node) < 0
        && catalog.inPlacePairs(operation, graph.program().version()).stream()
            .anyMatch(
                pair ->
                    pair.source(operation) == source
                        && pair.target(operation) == target
                        && pair.canShareName(operation)
                        && sizes.areSame(operation, pair));
  }
}
