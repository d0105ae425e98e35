package dev.sublet.verify.rewrite;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.ControlKind;
import dev.sublet.program.Attribute;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.verify.graph.DefUseIndex;
import dev.sublet.verify.graph.LoopExits;
import dev.sublet.verify.graph.OperatorAlignment;
import dev.sublet.verify.rewrite.UnrolledLoop.Fixup;
import dev.sublet.verify.rewrite.UnrolledLoop.Position;
import dev.sublet.verify.rewrite.UnrolledLoop.Role;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Finds the unrolled loops of a program, which end in nested conditional blocks on the loop's own
 * condition, and their counters; see {@link UnrolledLoop}. O(operators × nesting).
 */
final class UnrolledLoops {

  private static final ImmutableSet<String> CONSTANT =
      ImmutableSet.of("shape", "dtype", "value", "force_cpu");
  private static final ImmutableSet<String> COMPARISON = ImmutableSet.of("axis", "force_cpu");

  private final Program program;
  private final OperatorCatalog catalog;

  private UnrolledLoops(Program program, OperatorCatalog catalog) {
    this.program = program;
    this.catalog = catalog;
  }

  /** Finds all unrolled loops of a program, by the positions of their operators. */
  static Map<Position, UnrolledLoop> find(Program program, OperatorCatalog catalog) {
    UnrolledLoops finder = new UnrolledLoops(program, catalog);
    Map<Position, UnrolledLoop> loops = new HashMap<>();
    for (var block : program.blocks()) {
      for (Operation operation : block.operations()) {
        ImmutableList<Operation> entries = entries(program, catalog, operation);
        if (!entries.isEmpty()) {
          loops.put(Position.of(operation), finder.describe(operation, entries));
        }
      }
    }
    return loops;
  }

  /**
   * Returns the nested conditional blocks at the end of a loop's body, from the outermost to the
   * innermost; none if the operator is no loop.
   */
  static ImmutableList<Operation> entries(
      Program program, OperatorCatalog catalog, Operation loop) {
    ImmutableList.Builder<Operation> entries = ImmutableList.builder();
    int condition = LoopExits.condition(loop);
    boolean isLoop =
        catalog.lookup(loop.type()).control() == ControlKind.WHILE
            && loop.blocks().size() == 1
            && condition != Program.NO_VARIABLE;
    Operation around = isLoop ? loop : null;
    while (around != null) {
      Operation last = last(program, around);
      boolean isEntry =
          last != null
              && catalog.lookup(last.type()).control() == ControlKind.CONDITIONAL
              && last.blocks().size() == 1
              && last.flag("is_scalar_condition")
              && DefUseIndex.only(last.inputSlot("Cond")) == condition;
      around = isEntry ? last : null;
      if (last != null && isEntry) {
        entries.add(last);
      }
    }
    return entries.build();
  }

  private static @Nullable Operation last(Program program, Operation control) {
    ImmutableList<Operation> body = program.block(control.blocks().get(0)).operations();
    return body.isEmpty() ? null : body.get(body.size() - 1);
  }

  private UnrolledLoop describe(Operation loop, ImmutableList<Operation> entries) {
    UnrolledLoop plain =
        new UnrolledLoop(
            loop, entries, ImmutableIntArray.of(), ImmutableList.of(), ImmutableMap.of());
    Operation start = operation(loop.block(), loop.index() - 1);
    List<Operation> counts = new ArrayList<>();
    for (int copy = 0; copy < plain.copies(); copy++) {
      int size = program.block(plain.body(copy)).operations().size();
      boolean isLast = copy == plain.copies() - 1;
      Operation count = operation(plain.body(copy), isLast ? size - 1 : size - 2);
      if (count != null) {
        counts.add(count);
      }
    }
    if (start == null || counts.size() < plain.copies() || constant(start).isEmpty()) {
      return plain;
    }
    int counter = start.output(0);
    long[] values = new long[plain.copies()];
    for (int copy = 0; copy < values.length; copy++) {
      Operation count = counts.get(copy);
      if (constant(count).isEmpty() || count.output(0) != counter) {
        return plain;
      }
      values[(copy + 1) % values.length] = constant(count).getAsLong();
    }
    boolean isConsistent = constant(start).getAsLong() == values[0];
    counts.add(start);
    return isConsistent && isOnlyCounted(counter, plain, counts)
        ? withCounts(plain, counter, counts, values)
        : plain;
  }

  private @Nullable Operation operation(int block, int index) {
    ImmutableList<Operation> all = program.block(block).operations();
    return index < 0 || index >= all.size() ? null : all.get(index);
  }

  /**
   * The value that an operator writes into its only output, if the operator is a {@code
   * fill_constant} of one element that is a whole number.
   */
  private OptionalLong constant(Operation operation) {
    Attribute value = operation.attribute("value").orElse(null);
    Attribute shape = operation.attribute("shape").orElse(null);
    boolean isConstant =
        operation.type().equals("fill_constant")
            && operation.inputCount() == 0
            && operation.outputCount() == 1
            && isPlain(operation.output(0))
            && hasOnly(operation, CONSTANT)
            && shape != null
            && shape.longs().equals(ImmutableList.of(1L))
            && isInteger(operation);
    double number = isConstant && value != null ? value.asDouble(Double.NaN) : Double.NaN;
    boolean isWhole = number == Math.rint(number) && Math.abs(number) < 1 << 20;
    return isWhole ? OptionalLong.of((long) number) : OptionalLong.empty();
  }

  /** Whether a constant is of type INT32 or INT64, by their numbers in Paddle. */
  private static boolean isInteger(Operation constant) {
    long type = constant.attribute("dtype").map(a -> a.asLong(-1)).orElse(-1L);
    return type == 2 || type == 3;
  }

  private boolean isPlain(int variable) {
    return variable != Program.NO_VARIABLE
        && program.variable(variable).kind() == Variable.Kind.TENSOR
        && !program.variable(variable).isPersistable();
  }

  private static boolean hasOnly(Operation operation, ImmutableSet<String> names) {
    for (Attribute attribute : operation.attributes()) {
      if (!names.contains(attribute.name())) {
        return false;
      }
    }
    return !operation.isTarget();
  }

  /**
   * Whether inside the loop only the counting operators name the counter, and the lists of the
   * loop's entries. The counter must be declared in the loop's block.
   */
  private boolean isOnlyCounted(int counter, UnrolledLoop loop, List<Operation> counts) {
    List<Integer> open = new ArrayList<>();
    open.add(loop.body(0));
    for (int i = 0; i < open.size(); i++) {
      for (Operation operation : program.block(open.get(i)).operations()) {
        open.addAll(operation.blocks());
        boolean names = operation.countInputs(counter) + operation.countOutputs(counter) > 0;
        if (names && !counts.contains(operation) && !loop.entries().contains(operation)) {
          return false;
        }
      }
    }
    return program.variable(counter).block() == loop.loop().block();
  }

  private UnrolledLoop withCounts(
      UnrolledLoop plain, int counter, List<Operation> counts, long[] values) {
    ImmutableMap.Builder<Position, Role> bookkeeping = ImmutableMap.builder();
    counts.forEach(count -> bookkeeping.put(Position.of(count), Role.COUNT));
    ImmutableIntArray.Builder residues = ImmutableIntArray.builder();
    for (long value : values) {
      residues.add((int) value);
    }
    ImmutableList.Builder<Fixup> fixups = ImmutableList.builder();
    int block = plain.loop().block();
    for (int at = plain.loop().index() + 1; true; at += 3) {
      Operation number = operation(block, at);
      Operation comparison = operation(block, at + 1);
      Operation branch = operation(block, at + 2);
      if (number == null
          || comparison == null
          || branch == null
          || !isFixup(counter, number, comparison, branch)) {
        break;
      }
      bookkeeping.put(Position.of(number), Role.NUMBER);
      bookkeeping.put(Position.of(comparison), Role.COMPARISON);
      bookkeeping.put(Position.of(branch), Role.FIXUP);
      fixups.add(new Fixup(constant(number).getAsLong(), branch.blocks().get(0)));
    }
    return new UnrolledLoop(
        plain.loop(),
        plain.entries(),
        residues.build(),
        fixups.build(),
        bookkeeping.buildOrThrow());
  }

  private boolean isFixup(int counter, Operation number, Operation comparison, Operation branch) {
    int flag = DefUseIndex.only(branch.inputSlot("Cond"));
    boolean compares =
        constant(number).isPresent()
            && number.output(0) != counter
            && comparison.type().equals("equal")
            && hasOnly(comparison, COMPARISON)
            && comparison.inputCount() == 2
            && DefUseIndex.only(comparison.inputSlot("X")) == counter
            && DefUseIndex.only(comparison.inputSlot("Y")) == number.output(0)
            && comparison.outputCount() == 1
            && comparison.output(0) == flag
            && isPlain(flag)
            && flag != counter
            && flag != number.output(0);
    if (!compares
        || catalog.lookup(branch.type()).control() != ControlKind.CONDITIONAL
        || branch.blocks().size() != 1
        || !branch.flag("is_scalar_condition")) {
      return false;
    }
    for (Operation inside : program.block(branch.blocks().get(0)).operations()) {
      // The counter must keep its value until the last fix-up has compared it.
      if (!OperatorAlignment.isCopy(program, inside, catalog) || inside.output(0) == counter) {
        return false;
      }
    }
    return true;
  }
}
