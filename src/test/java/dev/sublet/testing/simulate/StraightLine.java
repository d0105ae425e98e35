package dev.sublet.testing.simulate;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSetMultimap;
import dev.sublet.operator.spec.View;
import dev.sublet.operator.spec.ViewRule;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import dev.sublet.shape.Sizes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Executes operators without control flow on hash values.
 *
 * <p>An operator stores its outputs before it reads its inputs: an input whose place an output also
 * takes is garbage, unless the original operator had one variable in both positions, or the pair is
 * a legal in-place pair and the places are exactly the same. Likewise two outputs that were two
 * variables in the original damage each other if they have a byte in common.
 */
public final class StraightLine {

  /** The operator of a program under test that may leave its outputs as they are. */
  public static final String MAY_WRITE = "mystery_maybe";

  /** Inputs of which a kernel reads the shape alone: Paddle's {@code no_need_buffer}. */
  private static final ImmutableSetMultimap<String, String> SHAPE_ONLY =
      ImmutableSetMultimap.<String, String>builder()
          .putAll("elementwise_add_grad", "X", "Y")
          .putAll("elementwise_sub_grad", "X", "Y")
          .put("expand_v2_grad", "X")
          .put("reduce_sum_grad", "X")
          .put("concat_grad", "X")
          .put("slice_grad", "Input")
          .put("fill_constant_batch_size_like", "Input")
          .build();

  /** An argument: its position among all arguments of its direction, and where its value is. */
  private record Argument(int position, String slot, int index, Cell cell) {}

  /** What one execution of an operator has to do with views: none if they are not modelled. */
  private record Views(ImmutableList<View> all, List<Argument> inputs, int node) {

    ImmutableList<Memory.Copy> copiesTo(Argument output) {
      ImmutableList.Builder<Memory.Copy> copies = ImmutableList.builder();
      for (View view : all) {
        for (Argument input : inputs) {
          if (view.output() == output.position() && view.input() == input.position()) {
            copies.add(new Memory.Copy(input.cell(), 2 * node, view.offset(), view.bytes()));
          }
        }
      }
      return copies.build();
    }
  }

  private final Correspondence correspondence;
  private final Schedule schedule;
  private final ImmutableSet<InPlaceRule> rules;
  private final Memory memory;
  private final boolean staticShapes;
  private final @Nullable Sizes sizes;
  private final Contents contents;
  private final Map<Long, Integer> visits = new HashMap<>();
  private long garbage = Values.of("garbage of operators");

  StraightLine(
      Correspondence correspondence,
      Schedule schedule,
      ImmutableSet<InPlaceRule> rules,
      Memory memory,
      boolean staticShapes,
      @Nullable Sizes sizes,
      Contents contents) {
    this.correspondence = correspondence;
    this.schedule = schedule;
    this.rules = rules;
    this.memory = memory;
    this.staticShapes = staticShapes;
    this.sizes = sizes;
    this.contents = contents;
  }

  /** Executes an operator whose node has that number. O(inputs × outputs). */
  void execute(Operation operation, int node, Scope scope) {
    switch (operation.type()) {
      case "feed" -> {} // the value is there from the start
      case "delete_var" -> delete(operation, node, scope);
      case "assign" -> assign(operation, node, scope);
      default -> compute(operation, node, scope);
    }
  }

  /** A value that equals no other. */
  private long garbage() {
    garbage = Values.mix(garbage, 1);
    return garbage;
  }

  /** How often the operator has run before; counts this run. */
  int visit(long identity) {
    return visits.merge(identity, 1, Integer::sum) - 1;
  }

  private void delete(Operation operation, int node, Scope scope) {
    for (Argument input : arguments(operation.inputSlots(), scope)) {
      memory.write(input.cell(), 2 * node + 1, garbage());
    }
  }

  private void assign(Operation operation, int node, Scope scope) {
    List<Argument> inputs = arguments(operation.inputSlots(), scope);
    List<Argument> outputs = arguments(operation.outputSlots(), scope);
    if (inputs.isEmpty() || outputs.isEmpty()) {
      return;
    }
    Cell source = inputs.get(0).cell();
    Cell target = outputs.get(0).cell();
    int read = 2 * node;
    // A runtime notices when it is to copy a tensor to itself.
    ImmutableList<Memory.Copy> copies = views(operation, inputs, node).copiesTo(outputs.get(0));
    boolean harmless =
        !memory.damages(target, read + 1, copies, source, read)
            || memory.coincide(target, read + 1, source, read);
    long copied = harmless ? fitted(memory.read(source, read), source, target) : garbage();
    memory.write(target, read + 1, copied, copies);
  }

  /**
   * The first bytes of a value, as many as the variable has: types need not fit. If nobody knows
   * how many bytes the source has, the copy is a value of its own.
   */
  private long fitted(long value, Cell source, Cell target) {
    if (sizes == null || target.variable == null || !sizes.isKnown(target.variable.index())) {
      return value;
    }
    boolean isOpen = source.variable != null && !sizes.isKnown(source.variable.index());
    return isOpen ? resized(value) : contents.first(value, sizes.bytes(target.variable.index()));
  }

  private static long resized(long value) {
    return value == Values.UNDEFINED
        ? value
        : Values.withBit(Values.mix(value, 1), Values.bit(value));
  }

  /** Another value if the variable is larger than the source: the rest is part of the value. */
  private long filledUp(long value, Cell source, Cell target) {
    boolean isLonger =
        sizes != null
            && source.variable != null
            && target.variable != null
            && sizes.isKnown(source.variable.index())
            && sizes.isKnown(target.variable.index())
            && sizes.bytes(source.variable.index()) < sizes.bytes(target.variable.index());
    return isLonger ? resized(value) : value;
  }

  private void compute(Operation operation, int node, Scope scope) {
    Operation original = correspondence.original(operation);
    long identity = correspondence.identity(operation);
    int visit = visit(identity);
    List<Argument> inputs = arguments(operation.inputSlots(), scope);
    List<Argument> outputs = new ArrayList<>();
    for (Argument output : arguments(operation.outputSlots(), scope)) {
      if (!operation.type().equals(MAY_WRITE)
          || schedule.flip(identity, visit, "write " + output.position())) {
        outputs.add(output);
      }
    }
    Views views = views(original, inputs, node);
    long[] values = new long[inputs.size()];
    for (int i = 0; i < values.length; i++) {
      if (staticShapes && SHAPE_ONLY.containsEntry(operation.type(), inputs.get(i).slot())) {
        continue;
      }
      boolean damaged = isDamaged(original, inputs.get(i), outputs, views);
      values[i] = damaged ? garbage() : memory.read(inputs.get(i).cell(), 2 * node);
    }
    long base = Values.mix(schedule.seed(), identity);
    long[] results = new long[outputs.size()];
    for (int i = 0; i < results.length; i++) {
      Argument output = outputs.get(i);
      boolean damaged = isDamagedOutput(original, output, outputs, views);
      long old = memory.read(output.cell(), 2 * node);
      long salt = Values.mix(base, output.position());
      long result = result(operation, salt, inputs, values, old, output);
      results[i] = damaged ? garbage() : viewed(original, views, output, values, result);
    }
    for (int i = 0; i < results.length; i++) {
      Argument output = outputs.get(i);
      memory.write(output.cell(), 2 * node + 1, results[i], views.copiesTo(output));
    }
  }

  private Views views(Operation original, List<Argument> inputs, int node) {
    ImmutableList<View> views = sizes == null ? ImmutableList.of() : sizes.views(original);
    return new Views(views, inputs, node);
  }

  /** An output's value, as far as it is copied from inputs; the rest is what was computed. */
  private long viewed(
      Operation original, Views views, Argument output, long[] values, long computed) {
    if (sizes == null) {
      return computed;
    }
    List<Contents.Piece> pieces = new ArrayList<>();
    long position = 0;
    for (View view : views.all()) {
      for (int i = 0; i < values.length; i++) {
        if (view.output() != output.position()
            || view.input() != views.inputs().get(i).position()) {
          continue;
        }
        long begin = Math.max(0, -view.offset());
        if (view.isWhole()) {
          return values[i];
        }
        boolean isPart = view.relation() == ViewRule.Relation.INPUT_IN_OUTPUT;
        contents.setSize(values[i], isPart ? view.bytes() : view.wholeBytes());
        if (begin > position) {
          pieces.add(new Contents.Piece(computed, position, begin - position));
        }
        pieces.addAll(contents.part(values[i], view.startInInput(), view.bytes()));
        position = begin + view.bytes();
      }
    }
    long bytes = sizes.bytesWritten(original, output.position());
    if (!pieces.isEmpty() && position < bytes) {
      pieces.add(new Contents.Piece(computed, position, bytes - position));
    }
    return pieces.isEmpty() ? computed : contents.join(pieces);
  }

  /** What an operator computes from its inputs; operators that pass truth values on do so. */
  private long result(
      Operation operation,
      long salt,
      List<Argument> inputs,
      long[] values,
      long old,
      Argument output) {
    return switch (operation.type()) {
      case "select_input" -> select(inputs, values, output);
      case "cast" -> withBitOfInput(salt, values, /* flip= */ false);
      case "logical_not" -> withBitOfInput(salt, values, /* flip= */ true);
      case "write_to_array" -> old == Values.UNDEFINED ? old : hash(Values.mix(salt, old), values);
      default -> hash(salt, values);
    };
  }

  private static long withBitOfInput(long salt, long[] values, boolean flip) {
    long hash = hash(salt, values);
    return hash == Values.UNDEFINED ? hash : Values.withBit(hash, Values.bit(values[0]) != flip);
  }

  /** The input X that the mask chooses. */
  private long select(List<Argument> inputs, long[] values, Argument output) {
    int chosen = 0;
    for (int i = 0; i < values.length; i++) {
      if (inputs.get(i).slot().equals("Mask")) {
        if (values[i] == Values.UNDEFINED) {
          return Values.UNDEFINED;
        }
        chosen = Values.bit(values[i]) ? 1 : 0;
      }
    }
    for (int i = 0; i < values.length; i++) {
      if (inputs.get(i).slot().equals("X") && inputs.get(i).index() == chosen) {
        return filledUp(values[i], inputs.get(i).cell(), output.cell());
      }
    }
    return Values.UNDEFINED;
  }

  private static long hash(long salt, long[] values) {
    long hash = salt;
    for (long value : values) {
      if (value == Values.UNDEFINED) {
        return Values.UNDEFINED;
      }
      hash = Values.mix(hash, value);
    }
    return hash;
  }

  private boolean isDamaged(
      Operation original, Argument input, List<Argument> outputs, Views views) {
    int read = 2 * views.node();
    for (Argument output : outputs) {
      if (memory.damages(output.cell(), read + 1, views.copiesTo(output), input.cell(), read)
          && !(mayShare(original, input, output)
              && memory.coincide(output.cell(), read + 1, input.cell(), read))) {
        return true;
      }
    }
    return false;
  }

  private boolean mayShare(Operation original, Argument input, Argument output) {
    int before = original.input(input.position());
    return (before != Program.NO_VARIABLE && before == original.output(output.position()))
        || (input.index() == 0
            && output.index() == 0
            && rules.contains(new InPlaceRule(original.type(), input.slot(), output.slot())));
  }

  private boolean isDamagedOutput(
      Operation original, Argument output, List<Argument> outputs, Views views) {
    int write = 2 * views.node() + 1;
    for (Argument other : outputs) {
      if (original.output(other.position()) != original.output(output.position())
          && memory.damages(other.cell(), write, views.copiesTo(other), output.cell(), write)) {
        return true;
      }
    }
    return false;
  }

  private static List<Argument> arguments(Iterable<Slot> slots, Scope scope) {
    List<Argument> arguments = new ArrayList<>();
    int position = 0;
    for (Slot slot : slots) {
      for (int i = 0; i < slot.size(); i++) {
        Cell cell = scope.find(slot.argument(i));
        if (cell != null) {
          arguments.add(new Argument(position, slot.name(), i, cell));
        }
        position++;
      }
    }
    return arguments;
  }
}
