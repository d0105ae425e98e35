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
import java.util.Arrays;
import java.util.BitSet;

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
 * value of bounded size, and if no gradient of a loop may link the array to another one.
 */
final class ArraySizes {

  /** An array that may have more bytes is not planned: the bound is a guard, and no length. */
  private static final double MOST_BYTES = 0x1p30;

  private static final String WRITE = "write_to_array";

  private final Program program;
  private final Definitions definitions;

  /** By variable: the slots that suffice because of {@link ArrayWindows}, or none. */
  private final long[] windows;

  /** The arrays that have fewer slots than elements. */
  private final BitSet isWindow = new BitSet();

  /** By variable: the slots; 0 for a variable that is no array. */
  private final long[] slots;

  /** By variable: the bytes of the largest element. */
  private final long[] slotBytes;

  /** By variable: why the size of an array is unknown; empty if it is known, or for no array. */
  private final String[] reasons;

  private ArraySizes(Program program, Definitions definitions, long[] windows) {
    this.program = program;
    this.windows = windows;
    this.definitions = definitions;
    this.slots = new long[program.variableCount()];
    this.slotBytes = new long[program.variableCount()];
    this.reasons = new String[program.variableCount()];
    Arrays.fill(reasons, "");
  }

  /** Measures all arrays. O(arguments × rank). */
  static ArraySizes measure(Program program, OperatorCatalog catalog, Definitions definitions) {
    long[] windows = ArrayWindows.find(program, catalog, definitions);
    ArraySizes sizes = new ArraySizes(program, definitions, windows);
    boolean hasGradients = false;
    for (Block block : program.blocks()) {
      for (Operation operation : block.operations()) {
        ControlKind control = catalog.lookup(operation.type()).control();
        hasGradients |= control.isGradient() || control == ControlKind.RECURRENT;
        for (int i = 0; i < operation.outputCount(); i++) {
          int output = operation.output(i);
          if (output != Program.NO_VARIABLE && isArray(program.variable(output))) {
            sizes.add(operation, i, control);
          }
        }
      }
    }
    if (hasGradients) {
      sizes.giveUp();
    }
    return sizes;
  }

  private static boolean isArray(Variable variable) {
    return variable.kind() == Variable.Kind.TENSOR_ARRAY;
  }

  private void giveUp() {
    for (Variable variable : program.variables()) {
      if (isArray(variable)) {
        reasons[variable.index()] = "a gradient operator may link it to another array";
      }
    }
  }

  private void add(Operation operation, int output, ControlKind control) {
    int array = operation.output(output);
    boolean isFollowed = control == ControlKind.WHILE || control == ControlKind.CONDITIONAL;
    if (isFollowed || definitions.isSkipped(operation)) {
      return; // the operators of the block write
    }
    AbstractShape shape = definitions.get(definitions.number(operation, output));
    if (!operation.type().equals(WRITE)) {
      reasons[array] = "op '" + operation.type() + "' writes it";
    } else if (shape != null) {
      int input = operation.firstInput("X");
      measure(array, input < 0 ? Program.NO_VARIABLE : operation.input(input), shape);
    }
  }

  private void measure(int array, int element, AbstractShape shape) {
    SymbolicExtent length = shape.length();
    int width =
        element == Program.NO_VARIABLE
            ? 0
            : program.variable(element).tensorType().map(type -> type.dataType().bytes()).orElse(0);
    boolean isBounded = length != null && isCount(length);
    double most = isBounded ? requireNonNull(length).value() : Double.POSITIVE_INFINITY;
    if (windows[array] != ArrayWindows.NONE && windows[array] < most) {
      most = windows[array];
      isWindow.set(array);
    } else if (!isBounded) {
      reasons[array] = length == null ? "its length is unknown" : length.cause();
      return;
    }
    if (!shape.hasRank() || !isCount(shape.count())) {
      reasons[array] = shape.hasRank() ? shape.count().cause() : shape.reason();
    } else if (width == 0) {
      reasons[array] = "the element type has no fixed width";
    } else if (shape.count().value() * width * most >= MOST_BYTES) {
      reasons[array] = "it may have " + length + " elements";
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
