package dev.sublet.shape;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.ListMultimap;
import dev.sublet.operator.spec.ControlKind;
import dev.sublet.program.Attribute;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import dev.sublet.program.Variable;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * The tensor arrays that {@code while_grad} links: before each iteration the body's gradients of
 * outputs get the elements of those outside, and after it the gradients of inputs outside get those
 * of the body, each element at the same index.
 *
 * <pre>
 *   while_grad with X = [a], X@GRAD = [g]      each iteration adds the body's array a@GRAD to g
 *   g: element k exists only if a@GRAD had an element k in some iteration
 * </pre>
 */
final class ArrayLinks {

  private static final String GRADIENT = "@GRAD";

  private final Program program;

  /** By array: the arrays that get its elements. */
  private final ListMultimap<Integer, Integer> receivers = ArrayListMultimap.create();

  /** The arrays that get elements of others. */
  private final BitSet receiving = new BitSet();

  /** The arrays that a link concerns. */
  private final BitSet linked = new BitSet();

  /** The arrays that a body of {@code while_grad} has from outside without a declaration. */
  private final BitSet undeclared = new BitSet();

  /** The bodies of {@code while_grad}. */
  private final BitSet bodies = new BitSet();

  ArrayLinks(Program program) {
    this.program = program;
  }

  /**
   * Adds the links of an operator, if it is a {@code while_grad} with a body; returns whether it
   * is. O(arguments).
   */
  boolean add(Operation operation, ControlKind control) {
    if (control != ControlKind.WHILE_GRAD || operation.blocks().size() != 1) {
      return false;
    }
    Block body = program.block(operation.blocks().get(0));
    bodies.set(body.index());
    addOutputGradients(operation, body);
    addInputGradients(operation, body);
    return true;
  }

  private void addOutputGradients(Operation operation, Block body) {
    Optional<Attribute> names = operation.attribute("original_output_grad");
    Optional<Slot> outer = operation.inputSlot("Out" + GRADIENT);
    if (names.isEmpty() || outer.isEmpty()) {
      return;
    }
    for (int i = 0; i < Math.min(outer.get().size(), names.get().strings().size()); i++) {
      int inner = program.resolve(body.index(), names.get().strings().get(i));
      int array = outer.get().variable(i);
      if (inner == array && isArray(array)) {
        undeclared.set(array);
      }
      link(array, inner);
    }
  }

  private void addInputGradients(Operation operation, Block body) {
    Optional<Slot> inputs = operation.inputSlot("X");
    Optional<Slot> gradients = operation.outputSlot("X" + GRADIENT);
    if (inputs.isEmpty() || gradients.isEmpty()) {
      return;
    }
    for (int i = 0; i < Math.min(inputs.get().size(), gradients.get().size()); i++) {
      int outer = gradients.get().variable(i);
      String name = inputs.get().argument(i) + GRADIENT;
      link(program.resolve(body.index(), name), outer);
      link(program.resolve(body.index(), gradients.get().argument(i)), outer);
    }
  }

  private void link(int from, int to) {
    if (isArray(from) && isArray(to)) {
      linked.set(from);
      linked.set(to);
      if (from != to) {
        receivers.put(from, to);
        receiving.set(to);
      }
    }
  }

  private boolean isArray(int variable) {
    return variable != Program.NO_VARIABLE
        && program.variable(variable).kind() == Variable.Kind.TENSOR_ARRAY;
  }

  /** The arrays that get the elements of an array. */
  List<Integer> receivers(int array) {
    return receivers.get(array);
  }

  /** Whether an array gets elements of other arrays. */
  boolean isReceiving(int array) {
    return receiving.get(array);
  }

  /** Whether an array is linked with another one, or with itself. */
  boolean isLinked(int array) {
    return linked.get(array);
  }

  /**
   * Whether a body of {@code while_grad} has an array from outside under its own name. What the
   * body writes there, it writes to an array of its own.
   */
  boolean isUndeclared(int array) {
    return undeclared.get(array);
  }

  /** Whether a block is the body of a {@code while_grad}, or inside one. O(depth). */
  boolean isInBody(int block) {
    for (int each = block; each > 0; each = program.block(each).parent()) {
      if (bodies.get(each)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a block is the body of a {@code while_grad}. */
  boolean isBody(int block) {
    return bodies.get(block);
  }
}
