package dev.sublet.compile.trace;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import dev.sublet.program.Variable;
import dev.sublet.runtime.tensor.ElementType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Traces loops and branches.
 *
 * <p>A loop whose condition does not depend on feeds is repeated, if that takes few operators, and
 * of branches the one that is taken remains. Every other one is a {@link TracedRegion}. A variable
 * that a loop carries, or that a branch may replace, then has a value that copies write:
 *
 * <pre>
 * while (c) { y = h(x); x = assign(y) }   →   x2 = x;  while (c2) { y = h(x2); x2 = y; … }
 * if (c) { x = h(x) }                     →   x2 = x;  if (c) { x3 = h(x); x2 = x3 }
 * </pre>
 *
 * <p>The plan gives such values one place, or places in turn, so that few of these copies are made.
 */
final class ControlTrace {

  private final Program program;
  private final TraceState state;
  private final OperatorTrace operators;
  private final long unrolled;
  private final IntConsumer run;

  /** The blocks of the loops around the current operator that are regions. */
  private final Deque<Integer> bodies = new ArrayDeque<>();

  /** The loops that are too long to be repeated, unless they must be. */
  private final Set<Operation> tooLong = Sets.newIdentityHashSet();

  /** For variables that a branch in a loop writes first: the name of the value from the branch. */
  private final Map<Integer, String> lastingBy = new TreeMap<>();

  /** The loops that cannot be regions although their condition is known at first. */
  private final Set<Operation> repeated = Sets.newIdentityHashSet();

  /**
   * Creates a tracer.
   *
   * @param unrolled the operators up to which a loop is repeated, if its condition is known
   * @param run traces the operators of a block
   */
  ControlTrace(
      Program program, TraceState state, OperatorTrace operators, long unrolled, IntConsumer run) {
    this.program = program;
    this.state = state;
    this.operators = operators;
    this.unrolled = unrolled;
    this.run = run;
  }

  /**
   * Traces a {@code while}. A loop that turned out to be too long, or that cannot be a region, is
   * not tried again: so the time for loops in loops does not double with each.
   */
  void repeat(Operation operation) {
    TraceState.Saved before = state.save();
    if (!repeated.contains(operation)) {
      boolean isKnown = condition(operation, "Condition").isPresent();
      if (!tooLong.contains(operation)) {
        if (unroll(operation, unrolled)) {
          return;
        }
        tooLong.add(operation);
      }
      state.restore(before);
      if (roll(operation) || !isKnown) {
        return;
      }
      repeated.add(operation);
      state.restore(before);
    }
    // The shapes may change in the first iterations only, or in each of a known number.
    if (!unroll(operation, TraceState.MOST_OPERATORS)) {
      roll(operation);
    }
  }

  /**
   * Repeats a body while the condition is known to be true.
   *
   * @param most the number of operators after which it stops
   * @return whether the condition became false
   */
  private boolean unroll(Operation operation, long most) {
    long limit = state.work() + most;
    int block = operation.blocks().get(0);
    while (true) {
      Optional<Long> isTrue = condition(operation, "Condition");
      if (isTrue.isEmpty() || state.work() > limit) {
        return false;
      }
      if (isTrue.get() == 0) {
        CollectTrace.finish(program.block(block), state, operators);
        return true;
      }
      for (Variable variable : program.block(block).variables()) {
        state.arrays().clear(variable.index());
      }
      run.accept(block);
      state.count(operation); // a loop without operators ends, too
    }
  }

  private Optional<Long> condition(Operation operation, String slot) {
    return state.variables().number(operation, slot);
  }

  /**
   * Traces the body of a loop once, for all iterations.
   *
   * @return whether nothing was refused
   */
  private boolean roll(Operation operation) {
    int refused = state.refusals().count();
    int block = operation.blocks().get(0);
    ImmutableSet<Integer> written = OuterWrites.of(program, block);
    int condition = TracedVariables.input(operation, "Condition");
    if (state.variables().value(condition) == null) {
      state.refuseMissing(operation);
      return false;
    }
    if (!written.contains(condition)
        || !isCondition(requireNonNull(state.variables().value(condition)))) {
      state.refuse(operation, "its condition is no boolean that its body writes");
      return false;
    }
    TreeMap<Integer, TracedValue> carried = new TreeMap<>();
    for (int variable : written) {
      TracedValue start = state.variables().value(variable);
      if (start != null) {
        if (isStale(variable)) {
          refuseStale(operation);
        }
        refuseShape(operation, start);
        carried.put(variable, replace(variable, start));
      }
    }
    int region = state.open();
    int begin = state.steps().size();
    bodies.push(block);
    clearLocals(block);
    written.forEach(lastingBy::remove);
    run.accept(block);
    refuseOverwritten(operation, written, carried);
    bodies.pop();
    keep(operation, written, carried, begin);
    carry(operation, carried);
    TracedValue repeats = requireNonNull(carried.get(condition));
    state.close(
        region,
        new TracedRegion(operation, begin, state.steps().size(), /* isLoop= */ true, repeats));
    carried.forEach((variable, value) -> state.variables().put(variable, value));
    clearLocals(block);
    return state.refusals().count() == refused;
  }

  private static boolean isCondition(TracedValue value) {
    return value.type() == ElementType.BOOL && value.tensor().tensor().length() == 1;
  }

  /** Gives a variable a value that copies write, and copies its value to it. */
  private TracedValue replace(int variable, TracedValue start) {
    TracedValue value = state.variables().setLike(variable, start);
    state.steps().add(TracedStep.copy(start, value));
    return value;
  }

  /**
   * Whether perhaps an earlier iteration of a loop around it has written the value of a variable,
   * which had none at first. A copy of it in each iteration would not be that value.
   */
  private boolean isStale(int variable) {
    return state.variables().isUncertain(variable)
        && bodies.stream().anyMatch(body -> !OuterWrites.isInside(program, variable, body));
  }

  /** Refuses to copy a value whose shape depends on data. */
  private void refuseShape(Operation operation, TracedValue value) {
    if (value.shape().isPresent()) {
      state.refusals().add(operation, "the shape of a value that it copies depends on data");
    }
  }

  /**
   * Refuses a variable without a first value that a branch of the body writes, and then another
   * operator: an iteration that does not take the branch would read the value of that operator.
   */
  private void refuseOverwritten(
      Operation operation, ImmutableSet<Integer> written, Map<Integer, TracedValue> carried) {
    for (int variable : written) {
      TracedValue last = state.variables().value(variable);
      String lasting = lastingBy.get(variable);
      if (lasting != null
          && !carried.containsKey(variable)
          && (last == null || !last.name().equals(lasting))) {
        refuseStale(operation);
      }
    }
  }

  private void refuseStale(Operation operation) {
    state.refusals().add(operation, "may keep a value of an earlier iteration, with none at first");
  }

  /**
   * Copies the values that were computed before a region, or that the loop is going to replace, for
   * variables without a value before the region: the region may not run, or run again.
   */
  private void keep(
      Operation operation,
      ImmutableSet<Integer> written,
      Map<Integer, TracedValue> carried,
      int begin) {
    Set<String> computed = new HashSet<>();
    for (TracedStep step : state.steps().subList(begin, state.steps().size())) {
      step.outputs().values().forEach(value -> computed.add(value.name()));
    }
    for (int variable : written) {
      TracedValue value = state.variables().value(variable);
      if (state.arrays().isArray(variable)) {
        state.refuse(operation, "it writes an array, and its condition depends on data");
      }
      if (value != null && !carried.containsKey(variable)) {
        if (!value.isConstant() && !computed.contains(value.name())) {
          refuseShape(operation, value);
          value = replace(variable, value);
        }
        if (value.shape().isPresent() && !computed.contains(value.shape().get().name())) {
          refuseShape(operation, value);
        }
        state.variables().putUncertain(variable, value);
        if (bodies.stream().anyMatch(body -> !OuterWrites.isInside(program, variable, body))) {
          state.lasting().add(value.name());
          value.shape().ifPresent(shape -> state.lasting().add(shape.name()));
          lastingBy.put(variable, value.name());
        }
      }
    }
  }

  /** Copies the values at the end of a body to those that the next iteration reads. */
  private void carry(Operation operation, Map<Integer, TracedValue> carried) {
    Map<String, TracedValue> sources = new LinkedHashMap<>();
    Map<String, TracedValue> targets = new LinkedHashMap<>();
    carried.forEach(
        (variable, value) -> {
          TracedValue next = state.variables().value(variable);
          if (next == null || !hasShape(next, value)) {
            state.refusals().add(operation, "the shape of a value that it carries changes");
          } else if (!next.name().equals(value.name())) {
            sources.put(value.name(), next);
            targets.put(value.name(), value);
          }
        });
    while (!sources.isEmpty()) {
      String target = free(sources);
      if (target == null) { // values that change places
        target = sources.keySet().iterator().next();
        TracedValue value = requireNonNull(targets.get(target));
        TracedValue saved = state.variables().like(value);
        state.steps().add(TracedStep.copy(value, saved));
        sources.replaceAll((name, source) -> source.name().equals(value.name()) ? saved : source);
      }
      TracedValue source = requireNonNull(sources.remove(target));
      state.steps().add(TracedStep.copy(source, requireNonNull(targets.get(target))));
    }
  }

  /** Returns the first target of a copy that no copy reads; null if there is none. */
  private static @Nullable String free(Map<String, TracedValue> sources) {
    Set<String> read = new HashSet<>();
    sources.values().forEach(source -> read.add(source.name()));
    return sources.keySet().stream().filter(name -> !read.contains(name)).findFirst().orElse(null);
  }

  private static boolean hasShape(TracedValue value, TracedValue like) {
    return value.shape().isEmpty()
        && like.shape().isEmpty()
        && value.type() == like.type()
        && value.tensor().tensor().shape().equals(like.tensor().tensor().shape())
        && value.tensor().lod().equals(like.tensor().lod());
  }

  private void clearLocals(int block) {
    for (Variable variable : program.block(block).variables()) {
      state.variables().put(variable.index(), null);
      state.arrays().clear(variable.index());
    }
  }

  /** Traces a {@code conditional_block}. */
  void choose(Operation operation) {
    int condition = TracedVariables.input(operation, "Cond");
    TracedValue value = state.variables().value(condition);
    if (value == null) {
      state.refuseMissing(operation);
      return;
    }
    Optional<Long> isTrue = state.variables().number(condition);
    int block = operation.blocks().get(0);
    if (!operation.flag("is_scalar_condition") || (isTrue.isEmpty() && !isCondition(value))) {
      state.refuse(operation, "its condition is no boolean of one element");
    } else if (isTrue.isEmpty()) {
      branch(operation, value);
    } else if (isTrue.get() != 0) {
      clearLocals(block);
      run.accept(block);
    }
  }

  /** Traces a block that may run. */
  private void branch(Operation operation, TracedValue condition) {
    int block = operation.blocks().get(0);
    ImmutableSet<Integer> written = OuterWrites.of(program, block);
    Map<Integer, TracedValue> before = new TreeMap<>();
    for (int variable : written) {
      TracedValue value = state.variables().value(variable);
      if (value != null) {
        before.put(variable, value);
      }
    }
    int region = state.open();
    int begin = state.steps().size();
    Set<Integer> stale = new HashSet<>(Sets.filter(before.keySet(), this::isStale));
    clearLocals(block);
    run.accept(block);
    clearLocals(block);
    keep(operation, written, before, begin);
    List<TracedStep> copies = new ArrayList<>();
    before.forEach(
        (variable, old) -> {
          TracedValue chosen = state.variables().value(variable);
          if (chosen != null && old.name().equals(chosen.name())) {
            return;
          }
          if (chosen == null || !hasShape(chosen, old)) {
            state.variables().put(variable, null); // an error if something reads it
            state.lost().put(variable, operation);
            return;
          }
          if (stale.contains(variable)) {
            refuseStale(operation);
          }
          TracedValue value = state.variables().setLike(variable, old);
          copies.add(TracedStep.copy(old, value));
          state.steps().add(TracedStep.copy(chosen, value));
        });
    state.insert(begin, copies, region);
    int from = begin + copies.size();
    state.close(
        region,
        new TracedRegion(operation, from, state.steps().size(), /* isLoop= */ false, condition));
  }

  /** Traces a {@code select_input}. */
  void select(Operation operation) {
    Optional<Slot> slot = operation.inputSlot("X");
    int output = TracedVariables.output(operation, "Out");
    Optional<Long> choice = condition(operation, "Mask");
    TracedValue mask = state.variables().value(TracedVariables.input(operation, "Mask"));
    if (slot.isEmpty() || slot.get().size() == 0 || mask == null) {
      state.refuseMissing(operation);
    } else if (choice.isEmpty()) {
      choose(operation, slot.get(), mask, output);
    } else if (choice.get() < 0 || choice.get() >= slot.get().size()) {
      state.refuse(operation, "its mask names no input");
    } else {
      int chosen = slot.get().variable(Math.toIntExact(choice.get()));
      state.assign(operation, output, state.variables().value(chosen));
      state.arrays().copy(chosen, output);
    }
  }

  private void choose(Operation operation, Slot slot, TracedValue mask, int output) {
    ImmutableListMultimap.Builder<String, TracedValue> read = ImmutableListMultimap.builder();
    TracedValue first = state.variables().value(slot.variable(0));
    for (int i = 0; i < slot.size(); i++) {
      TracedValue value = state.variables().value(slot.variable(i));
      if (value == null || first == null) {
        state.refuseMissing(operation);
        return;
      }
      if (!hasShape(value, first)) {
        state.refuse(operation, "the shape of its result depends on data");
        return;
      }
      read.put(slot.name(), value);
    }
    read.put("Mask", mask);
    TracedValue result = state.variables().setLike(output, requireNonNull(first));
    state
        .steps()
        .add(
            new TracedStep(
                operation,
                read.build(),
                ImmutableListMultimap.of("Out", result),
                new TracedStep.Code.OfCopy()));
  }
}
