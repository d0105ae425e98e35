package dev.sublet.testing.simulate;

import com.google.common.collect.LinkedListMultimap;
import com.google.common.collect.ListMultimap;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToLongBiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Pairs the operators of a rewritten program up with those of the original by the values that they
 * read, whatever the names are.
 *
 * <p>Both programs are followed along one path, on which each block runs once. An operator's
 * partner is the first operator left in its block that has the same form and reads the same values,
 * if possible one with the same strings in attributes, which may be names; or else the first one
 * with the same names; or else with the same form; or else with the same type and numbers of
 * arguments.
 *
 * <pre>
 *   original    a = tanh(x)   b = tanh(y)   c = relu(b)
 *   rewritten   b = tanh(y)   a = tanh(x)   b = relu(b)     the first tanh is the one that reads y
 * </pre>
 *
 * <p>This is a guess. A wrong pair can make a right program look wrong, but no wrong one right.
 */
final class ValuePairs {

  /** By operator of the original: the values that it reads. */
  private final Map<Operation, List<Long>> reads = new HashMap<>();

  private final ListMultimap<List<Object>, Operation> left = LinkedListMultimap.create();
  private final Map<Operation, Operation> partners = new HashMap<>();

  private ValuePairs() {}

  /**
   * Returns by operator of the rewritten program its partner in the original, if there is one.
   * O(arguments), times the operators of a block that have one type.
   */
  static Map<Operation, Operation> of(Program rewritten, Program original) {
    ValuePairs pairs = new ValuePairs();
    new Path(original, pairs::note).follow();
    new Path(rewritten, pairs::pair).follow();
    return pairs.partners;
  }

  private long note(Operation operation, List<Long> inputs) {
    reads.put(operation, inputs);
    left.put(key(operation), operation);
    return number(operation);
  }

  private long pair(Operation operation, List<Long> inputs) {
    List<Operation> candidates = left.get(key(operation));
    List<Operation> alike =
        candidates.stream()
            .filter(each -> inputs.equals(reads.get(each)) && isLike(operation, each))
            .toList();
    Operation partner = first(alike, each -> each.attributes().equals(operation.attributes()));
    if (partner == null) {
      partner = first(alike, each -> true);
    }
    if (partner == null) {
      List<Object> text = Correspondence.text(operation);
      partner = first(candidates, each -> text.equals(Correspondence.text(each)));
    }
    if (partner == null) {
      partner = first(candidates, each -> isLike(operation, each));
    }
    if (partner == null) {
      partner = first(candidates, each -> true);
    }
    if (partner == null) {
      return -number(operation);
    }
    candidates.remove(partner);
    partners.put(operation, partner);
    return number(partner);
  }

  private static boolean isLike(Operation operation, Operation candidate) {
    return Correspondence.haveSameForm(operation, candidate);
  }

  private static @Nullable Operation first(List<Operation> all, Predicate<Operation> fits) {
    return all.stream().filter(fits).findFirst().orElse(null);
  }

  private static List<Object> key(Operation operation) {
    return List.of(
        operation.block(), operation.type(), operation.inputCount(), operation.outputCount());
  }

  private static long number(Operation operation) {
    return Values.mix(operation.block(), operation.index());
  }

  /** One path through a program. */
  private static final class Path {
    private final Program program;
    private final ToLongBiFunction<Operation, List<Long>> numbers;

    /** By variable. What has not been written has the value that its name stands for. */
    private final long[] values;

    private final BitSet followed = new BitSet();

    /** The variables that were written, in order. */
    private final List<Integer> written = new ArrayList<>();

    /**
     * Creates a path.
     *
     * @param numbers gives each operator that has an identity a number, by the values that it reads
     */
    Path(Program program, ToLongBiFunction<Operation, List<Long>> numbers) {
      this.program = program;
      this.numbers = numbers;
      this.values = new long[program.variableCount()];
      for (int i = 0; i < values.length; i++) {
        values[i] = Values.of(program.variable(i).name());
      }
    }

    /** Follows the path; blocks that no operator runs come last. */
    void follow() {
      for (Block block : program.blocks()) {
        follow(block);
      }
    }

    private void follow(Block block) {
      if (followed.get(block.index())) {
        return;
      }
      followed.set(block.index());
      for (Operation operation : block.operations()) {
        if (Correspondence.hasIdentity(operation)) {
          run(operation);
        } else if (operation.inputCount() > 0 && operation.outputCount() > 0) {
          write(operation.output(0), value(operation.input(0)));
        }
      }
    }

    private void run(Operation operation) {
      List<Long> inputs = new ArrayList<>();
      for (int i = 0; i < operation.inputCount(); i++) {
        inputs.add(value(operation.input(i)));
      }
      long number = numbers.applyAsLong(operation, inputs);
      int before = written.size();
      for (int block : operation.blocks()) {
        follow(program.block(block));
      }
      for (int i = 0; i < operation.outputCount() && !operation.type().equals("feed"); i++) {
        write(operation.output(i), Values.mix(number, i));
      }
      if (!operation.blocks().isEmpty()) {
        // It may not have run its blocks, and copies in them may be missing in one program.
        written.subList(before, written.size()).forEach(variable -> values[variable] = number);
      }
    }

    private long value(int variable) {
      return variable == Program.NO_VARIABLE ? Values.UNDEFINED : values[variable];
    }

    private void write(int variable, long value) {
      if (variable != Program.NO_VARIABLE) {
        values[variable] = value;
        written.add(variable);
      }
    }
  }
}
