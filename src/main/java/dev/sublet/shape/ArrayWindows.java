package dev.sublet.shape;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.ListMultimap;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.ControlKind;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import dev.sublet.program.Variable;
import dev.sublet.shape.CountedValues.Counted;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The tensor arrays of which a loop reads the last few elements only. Element k of such an array
 * can be in slot k mod n.
 *
 * <pre>
 *   a[0] = x; i = 0; while { s = a[i]; i = i + 1; a[i] = f(s) }      a needs one slot: element i is
 *                                                                   read before i + 1 is written
 * </pre>
 *
 * <p>The pattern: each iteration writes one element, at a counter plus a constant, and the counter
 * grows by 1 per iteration. All reads are in the same body, at the counter plus constants. Before
 * the loop, at constant indices, exactly the elements are written that an iteration reads and no
 * iteration writes. Nothing else touches the array, except for its length. Then an element is read
 * at most {@code lag} iterations after its write, and the writes in between go to other slots.
 */
final class ArrayWindows {

  /** The window of an array that needs a slot for each element. */
  static final long NONE = 0;

  /** Windows are found up to this size. */
  private static final long MOST_SLOTS = 64;

  private static final String WRITE = "write_to_array";
  private static final String READ = "read_from_array";
  private static final String LENGTH = "lod_array_length";

  /**
   * An access to an element.
   *
   * @param position the index of the operator in the block
   */
  private record ElementAccess(boolean isWrite, int block, int position, Counted index) {}

  private final Program program;
  private final OperatorCatalog catalog;
  private final Definitions definitions;

  /** By array: its accesses. */
  private final ListMultimap<Integer, ElementAccess> accesses = ArrayListMultimap.create();

  /** The arrays that are used in any other way. */
  private final BitSet others = new BitSet();

  /** By body block: the loop that runs it, and the values when the loop begins. */
  private final Map<Integer, Operation> loops = new HashMap<>();

  private final Map<Integer, CountedValues> entries = new HashMap<>();

  /** By block: the values when the block ends. */
  private final Map<Integer, CountedValues> ends = new HashMap<>();

  private ArrayWindows(Program program, OperatorCatalog catalog, Definitions definitions) {
    this.program = program;
    this.catalog = catalog;
    this.definitions = definitions;
  }

  /**
   * Returns by variable the number of slots that such an array needs; {@link #NONE} for others.
   * O(arguments × depth of blocks), and O(1) for a program without arrays.
   */
  static long[] find(Program program, OperatorCatalog catalog, Definitions definitions) {
    long[] windows = new long[program.variableCount()];
    ArrayWindows finder = new ArrayWindows(program, catalog, definitions);
    if (program.variables().stream().noneMatch(ArrayWindows::isArray)) {
      return windows;
    }
    for (Block block : program.blocks()) {
      finder.scan(block);
    }
    for (int array : finder.accesses.keySet()) {
      windows[array] = finder.others.get(array) ? NONE : finder.window(array);
    }
    return windows;
  }

  private static boolean isArray(Variable variable) {
    return variable.kind() == Variable.Kind.TENSOR_ARRAY;
  }

  private void scan(Block block) {
    CountedValues values = new CountedValues(program, definitions);
    for (Operation operation : block.operations()) {
      addAccess(operation, values);
      if (catalog.lookup(operation.type()).control() == ControlKind.WHILE
          && operation.blocks().size() == 1) {
        loops.put(operation.blocks().get(0), operation);
        entries.put(operation.blocks().get(0), values.copy());
      }
      values.add(operation);
    }
    ends.put(block.index(), values);
  }

  private void addAccess(Operation operation, CountedValues values) {
    boolean isWrite = operation.type().equals(WRITE);
    boolean isRead = operation.type().equals(READ) && operation.inputSlot("X_W").isEmpty();
    int input = operation.firstInput("I");
    int index = input < 0 ? Program.NO_VARIABLE : operation.input(input);
    int array =
        isWrite ? only(operation.outputSlot("Out")) : isRead ? only(operation.inputSlot("X")) : -1;
    if (array >= 0 && index != Program.NO_VARIABLE && isArray(program.variable(array))) {
      Counted at = values.get(index);
      accesses.put(array, new ElementAccess(isWrite, operation.block(), operation.index(), at));
      return;
    }
    OperatorSpec spec = catalog.lookup(operation.type());
    if (spec.control() == ControlKind.WHILE || operation.type().equals(LENGTH)) {
      return;
    }
    for (Slot slot : operation.inputSlots()) {
      // The gradient of a loop names the arrays of the loop, but reads none of them.
      boolean isNamed =
          spec.control() == ControlKind.WHILE_GRAD && spec.noNeedBuffer().contains(slot.name());
      for (int i = 0; i < slot.size() && !isNamed; i++) {
        noteOther(slot.variable(i));
      }
    }
    for (int i = 0; i < operation.outputCount(); i++) {
      noteOther(operation.output(i));
    }
  }

  private static int only(Optional<Slot> slot) {
    return slot.isPresent() && slot.get().size() == 1 ? slot.get().variable(0) : -1;
  }

  private void noteOther(int variable) {
    if (variable != Program.NO_VARIABLE) {
      others.set(variable);
    }
  }

  private long window(int array) {
    int home = program.variable(array).block();
    for (ElementAccess access : accesses.get(array)) {
      if (access.isWrite() && access.block() != home && loops.containsKey(access.block())) {
        long window = window(array, access);
        if (window != NONE) {
          return window;
        }
      }
    }
    return NONE;
  }

  /** The window of an array if a loop has this write, and all other writes are before the loop. */
  private long window(int array, ElementAccess write) {
    Operation loop = requireNonNull(loops.get(write.block()));
    int counter = write.index().base();
    if (counter < 0 || program.variable(counter).block() == write.block()) {
      return NONE;
    }
    Counted entry = requireNonNull(entries.get(write.block())).get(counter);
    Counted end = requireNonNull(ends.get(write.block())).get(counter);
    if (!entry.isConstant() || end.base() != counter || end.offset() != 1) {
      return NONE;
    }
    long slots = 1;
    long longest = 0;
    Set<Long> before = new HashSet<>();
    for (ElementAccess access : accesses.get(array)) {
      long lag = write.index().offset() - access.index().offset();
      boolean isEarlier = access.position() < write.position();
      if (access.isWrite()) {
        boolean isBefore = access.block() == loop.block() && access.position() < loop.index();
        if (!access.equals(write) && !(isBefore && access.index().isConstant())) {
          return NONE;
        }
        if (!access.equals(write)) {
          before.add(access.index().offset());
        }
      } else if (access.block() != write.block()
          || access.index().base() != counter
          || lag < (isEarlier ? 1 : 0)) {
        return NONE;
      } else {
        slots = Math.max(slots, isEarlier ? lag : lag + 1);
        longest = Math.max(longest, lag);
      }
    }
    Set<Long> needed = new HashSet<>();
    for (long lag = 1; lag <= Math.min(longest, MOST_SLOTS); lag++) {
      needed.add(entry.offset() + write.index().offset() - lag);
    }
    return longest <= MOST_SLOTS && before.equals(needed) ? slots : NONE;
  }
}
