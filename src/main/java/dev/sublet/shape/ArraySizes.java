package dev.sublet.shape;

import static java.util.Objects.requireNonNull;

import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.operator.spec.ControlKind;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;

/**
 * The sizes of the tensor arrays of a program: the number of slots of each, and the bytes of its
 * largest element. An array has a slot for each element, or fewer slots in which the elements take
 * turns ({@link ArrayWindows}).
 *
 * <pre>
 *   states = write_to_array(x, I: i)     with i at most 9 and x of 1,024 bytes
 *   states: 10 slots of 1,024 bytes
 * </pre>
 *
 * <p>A size is known only if every write is a {@code write_to_array} with a bounded index and a
 * value of bounded size, or a {@code lod_tensor_to_array} of known sequences. An array that gets
 * the elements of others ({@link ArrayLinks}) has room for the elements of each.
 */
final class ArraySizes {

  /** An array that may have more bytes is not planned: the bound is a guard, and no length. */
  private static final double MOST_BYTES = 0x1p30;

  private static final String WRITE = "write_to_array";
  private static final String WRITE_ALL = "lod_tensor_to_array";
  private static final String LENGTH = "lod_array_length";
  private static final String LINKED = "a gradient operator may link it to another array";

  private final Program program;
  private final Definitions definitions;

  /** By variable: the slots that suffice because of {@link ArrayWindows}, or none. */
  private final long[] windows;

  private final ArrayLinks links;
  private final GradientIndices indices;

  /** By array: the number of operators that write it. */
  private final int[] writers;

  /** The arrays that have fewer slots than elements. */
  private final BitSet isWindow = new BitSet();

  /** By variable: the slots; 0 for a variable that is no array. */
  private final long[] slots;

  /** By variable: the bytes of the largest element. */
  private final long[] slotBytes;

  /** By variable: why the size of an array is unknown; empty if it is known, or for no array. */
  private final String[] reasons;

  private ArraySizes(
      Program program, Definitions definitions, long[] windows, GradientIndices indices) {
    this.program = program;
    this.windows = windows;
    this.definitions = definitions;
    this.links = new ArrayLinks(program);
    this.indices = indices;
    this.writers = new int[program.variableCount()];
    this.slots = new long[program.variableCount()];
    this.slotBytes = new long[program.variableCount()];
    this.reasons = new String[program.variableCount()];
    Arrays.fill(reasons, "");
  }

  /** Measures all arrays. O(arguments × rank), and O(operators) per write in a gradient loop. */
  static ArraySizes measure(
      Program program, OperatorCatalog catalog, ShapeInterpreter interpreter) {
    Definitions definitions = interpreter.definitions();
    long[] windows = ArrayWindows.find(program, catalog, definitions);
    GradientIndices indices =
        new GradientIndices(program, definitions, interpreter.otherwiseWritten());
    ArraySizes sizes = new ArraySizes(program, definitions, windows, indices);
    List<Operation> writes = new ArrayList<>();
    boolean isGivenUp = false;
    for (Block block : program.blocks()) {
      for (Operation operation : block.operations()) {
        ControlKind control = catalog.lookup(operation.type()).control();
        isGivenUp |= control == ControlKind.RECURRENT || control == ControlKind.RECURRENT_GRAD;
        boolean isFollowed =
            sizes.links.add(operation, control)
                || control == ControlKind.WHILE
                || control == ControlKind.CONDITIONAL;
        if (!isFollowed) { // else the operators of the block write
          writes.add(operation);
        }
      }
    }
    writes.forEach(sizes::add);
    if (isGivenUp || sizes.readsLinkedLength()) {
      sizes.giveUp();
    }
    sizes.passOn();
    writes.forEach(sizes::shrink);
    return sizes;
  }

  private static boolean isArray(Variable variable) {
    return variable.kind() == Variable.Kind.TENSOR_ARRAY;
  }

  /** Whether a number in the program depends on the length of an array that is linked. */
  private boolean readsLinkedLength() {
    for (Block block : program.blocks()) {
      for (Operation operation : block.operations()) {
        int input = operation.type().equals(LENGTH) ? operation.firstInput("X") : -1;
        if (input >= 0
            && operation.input(input) != Program.NO_VARIABLE
            && links.isLinked(operation.input(input))) {
          return true;
        }
      }
    }
    return false;
  }

  private void giveUp() {
    for (Variable variable : program.variables()) {
      if (isArray(variable)) {
        reasons[variable.index()] = LINKED;
      }
    }
  }

  private void add(Operation operation) {
    for (int i = 0; i < operation.outputCount(); i++) {
      int output = operation.output(i);
      if (output != Program.NO_VARIABLE
          && isArray(program.variable(output))
          && !definitions.isSkipped(operation)) {
        writers[output]++;
        add(operation, i);
      }
    }
  }

  private void add(Operation operation, int output) {
    int array = operation.output(output);
    AbstractShape shape = definitions.get(definitions.number(operation, output));
    boolean isElement = operation.type().equals(WRITE);
    if (!isElement && !operation.type().equals(WRITE_ALL)) {
      reasons[array] = "op '" + operation.type() + "' writes it";
    } else if (links.isUndeclared(array) && links.isInBody(operation.block())) {
      reasons[array] = LINKED;
    } else if (shape != null) {
      measure(operation, array, shape);
    }
  }

  /** Gives the arrays that get elements of others room for them. O(links × arrays). */
  private void passOn() {
    Deque<Integer> pending = new ArrayDeque<>();
    for (Variable variable : program.variables()) {
      if (isArray(variable)) {
        pending.add(variable.index());
      }
    }
    while (!pending.isEmpty()) {
      int array = pending.remove();
      for (int receiver : links.receivers(array)) {
        if (passOn(array, receiver)) {
          pending.add(receiver);
        }
      }
    }
  }

  /** Gives an array room for the elements of another one; returns whether that changes it. */
  private boolean passOn(int array, int receiver) {
    if (!reasons[receiver].isEmpty()) {
      return false;
    }
    if (!reasons[array].isEmpty()) {
      reasons[receiver] = reasons[array];
      return true;
    }
    boolean changes = slots[array] > slots[receiver] || slotBytes[array] > slotBytes[receiver];
    slots[receiver] = Math.max(slots[receiver], slots[array]);
    slotBytes[receiver] = Math.max(slotBytes[receiver], slotBytes[array]);
    if ((double) slots[receiver] * slotBytes[receiver] >= MOST_BYTES) {
      reasons[receiver] = "it may have " + slots[receiver] + " elements";
    }
    return changes;
  }

  /**
   * Gives an array one slot if each iteration of a gradient loop has its own, and one operator
   * writes one element of it.
   */
  private void shrink(Operation operation) {
    int output =
        operation.type().equals(WRITE) && links.isBody(operation.block())
            ? operation.firstOutput("Out")
            : -1;
    int array = output < 0 ? Program.NO_VARIABLE : operation.output(output);
    if (array != Program.NO_VARIABLE
        && program.variable(array).block() == operation.block()
        && writers[array] == 1
        && !links.isReceiving(array)
        && slots[array] > 1) {
      slots[array] = 1;
      isWindow.set(array);
    }
  }

  private void measure(Operation operation, int array, AbstractShape shape) {
    int input = operation.firstInput("X");
    int element = input < 0 ? Program.NO_VARIABLE : operation.input(input);
    SymbolicExtent length = shape.length();
    int width =
        element == Program.NO_VARIABLE
            ? 0
            : program.variable(element).tensorType().map(type -> type.dataType().bytes()).orElse(0);
    boolean isBounded = length != null && isCount(length);
    double most = isBounded ? requireNonNull(length).value() : Double.POSITIVE_INFINITY;
    if (!isBounded && operation.type().equals(WRITE) && links.isBody(operation.block())) {
      most = indices.bound(operation) + 1;
    }
    if (windows[array] != ArrayWindows.NONE && windows[array] < most && !links.isLinked(array)) {
      most = windows[array];
      isWindow.set(array);
    } else if (most == Double.POSITIVE_INFINITY) {
      reasons[array] = length == null ? "its length is unknown" : length.cause();
      return;
    }
    if (!shape.hasRank() || !isCount(shape.count())) {
      reasons[array] = shape.hasRank() ? shape.count().cause() : shape.reason();
    } else if (width == 0) {
      reasons[array] = "the element type has no fixed width";
    } else if (shape.count().value() * width * most >= MOST_BYTES) {
      reasons[array] = "it may have " + (isBounded ? length : (long) most) + " elements";
    } else {
      slots[array] = Math.max(slots[array], (long) most);
      long elements = (long) shape.count().value();
      slotBytes[array] = Math.max(slotBytes[array], elements * width);
    }
  }

  /** Whether a number or its bound is a known whole number that is not negative. */
  private static boolean isCount(SymbolicExtent number) {
    return number.isKnown() && number.value() >= 0 && number.value() == Math.rint(number.value());
  }

  /** Whether the variable is an array of known size. */
  boolean isKnown(int variable) {
    return slots[variable] > 0 && reasons[variable].isEmpty();
  }

  /** The arrays of known size whose elements take turns in the slots. The caller owns the set. */
  BitSet turns() {
    BitSet turns = new BitSet();
    for (int array = isWindow.nextSetBit(0); array >= 0; array = isWindow.nextSetBit(array + 1)) {
      turns.set(array, isKnown(array));
    }
    return turns;
  }

  /** The slots of an array of known size. Element k is in slot k mod that number. */
  long slots(int array) {
    return slots[array];
  }

  /** The bytes of all slots of an array of known size. */
  long bytes(int array) {
    return slots[array] * slotBytes[array];
  }

  /** Why the size of an array is unknown; empty if it is known, or if nothing writes the array. */
  String reason(int variable) {
    return reasons[variable];
  }
}
