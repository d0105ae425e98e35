package dev.sublet.shape;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.ExtentExpressions;
import dev.sublet.operator.infer.LoopLimits;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.operator.paddle.control.ArrayShapes;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The fixpoint of one loop: the shapes at the head of its body that hold in every iteration. The
 * caller interprets the body once per pass, until a pass no longer changes the shapes at the head.
 *
 * <pre>
 *   while { x = concat(x x) {axis: 0} }      x is [2, 8] before the loop
 *
 *   pass 0: x is [2, 8] at the head and [4, 8] at the end, so it becomes [≤4, 8] at the head
 *   pass 1: x is [≤4, 8] at the head and [≤8, 8] at the end, so it becomes [≤8, 8] at the head
 *   pass 2: likewise [≤16, 8]
 *   pass 3: the first extent still grows, so it becomes unknown: [?, 8]
 *   pass 4: x is [?, 8] at the head and at the end, which is the fixpoint
 * </pre>
 *
 * <p>So an extent that changes from iteration to iteration becomes a bound; if it still changes
 * after {@link #MAX_PASSES} passes, it becomes unknown (widening, Cousot &amp; Cousot 1977).
 *
 * <p>A number that the condition of the loop bounds gets its bound in the second pass ({@link
 * LoopLimits}). After the loop, the number may be larger: the condition no longer holds.
 *
 * <pre>
 *   i = 0; while c { i = i + 1; c = less_than(i 10) }      i is ≤9 at the head, ≤10 after the loop
 * </pre>
 *
 * <p>When an outer loop enters this loop again, the loop starts from its last fixpoint. It is
 * skipped if no variable that it shares with the rest of the program has changed, and the shapes
 * before it are the same. So nested loops cost one rule call per operator, times the few passes
 * until the fixpoint.
 */
final class LoopFixpoint {

  /** The number of passes over a body after which an extent that still changes becomes unknown. */
  private static final int MAX_PASSES = 3;

  private final Operation operation;
  private final int body;

  /** The variable that decides after each iteration whether another one follows; or none. */
  private final int condition;

  private final LoopVariables variables;
  private final ShapeState state;
  private final DeclaredShapes declared;
  private final ExtentExpressions formulas;

  /** The shapes at the head, by variable, of variables that a pass has changed there. */
  private final Map<Integer, AbstractShape> heads = new TreeMap<>();

  /** The shapes before the loop, by variable, of variables that a pass has changed. */
  private final Map<Integer, AbstractShape> entries = new TreeMap<>();

  /**
   * The shapes after the loop, by variable, of variables that the condition bounds at the head: in
   * the last iteration, the condition no longer holds.
   */
  private final Map<Integer, AbstractShape> exits = new TreeMap<>();

  /** The position in the log of {@link #state} before the loop. */
  private int mark;

  /** The position in the log before the current pass. */
  private int passMark;

  /** The number of the current pass, from 0. */
  private int pass;

  /** The state at the last fixpoint. Null before the first one, and if the body is not closed. */
  private @Nullable Settled settled;

  /**
   * The shapes of a loop's shared variables at the head at a fixpoint, {@link
   * DeclaredShapes#promisesAreKept} there, and the shapes before the loop, on which its limits
   * depend.
   */
  private record Settled(
      List<@Nullable AbstractShape> tensors,
      boolean promisesAreKept,
      ImmutableMap<Integer, AbstractShape> entries) {}

  /**
   * Creates the fixpoint of a loop that has not been entered.
   *
   * @param condition the variable that decides after each iteration whether another one follows;
   *     {@link Program#NO_VARIABLE} if there is none
   */
  LoopFixpoint(
      Operation operation,
      int condition,
      LoopVariables variables,
      ShapeState state,
      DeclaredShapes declared,
      ExtentExpressions formulas) {
    this.operation = operation;
    this.condition = condition;
    this.body = variables.body(operation);
    this.variables = variables;
    this.state = state;
    this.declared = declared;
    this.formulas = formulas;
  }

  /** Enters the loop, from its last fixpoint if it has one; returns whether to run its body. */
  boolean enter() {
    mark = state.mark();
    entries.clear();
    heads.forEach(this::resume);
    pass = 0;
    passMark = state.mark();
    boolean runs = settled == null || !settled.equals(current());
    if (!runs) {
      exits.forEach(state::set);
    }
    return runs;
  }

  private void resume(int variable, AbstractShape head) {
    AbstractShape now = state.get(variable);
    if (now != null) {
      entries.put(variable, now);
    }
    String choice = ShapeState.choice(operation, variable);
    state.set(variable, now == null ? head : now.or(head, formulas, choice));
  }

  /**
   * Ends a pass over the body: joins the shapes at the end of the body into those at its head.
   * Returns whether to run the body again; if not, the loop is left. O(changes in the loop).
   */
  boolean endPass() {
    boolean again = false;
    List<ShapeState.Change> changes = state.changesSince(passMark);
    LoopLimits limits = limits(changes);
    exits.clear();
    for (ShapeState.Change change : changes) {
      AbstractShape end = state.get(change.variable());
      again |= end != null && joinAtHead(change.variable(), change.before(), end, limits);
    }
    if (again) {
      state.compact(mark);
      pass++;
      passMark = state.mark();
    } else {
      leave();
    }
    return again;
  }

  private void leave() {
    // When an outer loop enters this loop again, that counts as one more iteration of this loop.
    state.compact(mark, variable -> !variables.isLocal(variable, body));
    if (variables.isClosed(body)) {
      settled = current();
    }
    exits.forEach(state::set);
  }

  /**
   * The limits that the condition implies for another iteration; null if it implies none. There are
   * none in the very first pass: its formulas are those of the first iteration only.
   */
  private @Nullable LoopLimits limits(List<ShapeState.Change> changes) {
    if (pass == 0) {
      recordEntries(changes);
    }
    if (pass == 0 && heads.isEmpty()) {
      return null;
    }
    AbstractShape tensor = condition == Program.NO_VARIABLE ? null : state.get(condition);
    SymbolicExtent holds = tensor == null ? null : ArrayShapes.number(tensor);
    if (holds == null) {
      return null;
    }
    LoopLimits limits = LoopLimits.of(holds);
    for (ShapeState.Change change : changes) {
      AbstractShape head = change.before();
      AbstractShape entry = entries.get(change.variable());
      AbstractShape end = state.get(change.variable());
      if (entry != null && head != null && end != null) {
        limits = limits.with(entry, head, end);
      }
    }
    return limits.isEmpty() ? null : limits;
  }

  private void recordEntries(List<ShapeState.Change> changes) {
    for (ShapeState.Change change : changes) {
      AbstractShape head = change.before();
      if (head != null) {
        entries.putIfAbsent(change.variable(), head);
      }
    }
  }

  private Settled current() {
    List<@Nullable AbstractShape> tensors = new ArrayList<>();
    variables.shared(body).forEach(variable -> tensors.add(state.get(variable)));
    return new Settled(
        tensors,
        declared.promisesAreKept(),
        ImmutableMap.copyOf(Maps.filterKeys(entries, heads::containsKey)));
  }

  /**
   * Joins the shape of a variable at the end of the body, if another iteration follows, into that
   * at the head; returns whether the latter changes.
   */
  private boolean joinAtHead(
      int variable,
      @Nullable AbstractShape before,
      AbstractShape end,
      @Nullable LoopLimits limits) {
    AbstractShape entry = entries.get(variable);
    AbstractShape repeated =
        limits == null || before == null || entry == null ? end : end.within(limits, entry, before);
    AbstractShape head = join(variable, before, repeated);
    if (!repeated.equals(end) && !variables.isLocal(variable, body)) {
      String choice = ShapeState.choice(operation, variable) + " after";
      exits.put(variable, head.or(end, formulas, choice));
    }
    state.set(variable, head);
    if (head.equals(before)) {
      return false;
    }
    heads.put(variable, head);
    return true;
  }

  private AbstractShape join(int variable, @Nullable AbstractShape before, AbstractShape end) {
    if (before != null && before.isSame(end)) {
      return before;
    }
    String choice = ShapeState.choice(operation, variable);
    AbstractShape head = before == null ? end : before.or(end, formulas, choice);
    if (!end.equals(before)) {
      head = head.detached(formulas, choice);
    }
    return before != null && !head.equals(before) && pass >= MAX_PASSES
        ? widen(before, head, choice)
        : head;
  }

  private AbstractShape widen(AbstractShape before, AbstractShape after, String choice) {
    SymbolicExtent length = after.length();
    SymbolicExtent newLength =
        length == null || length.equals(before.length())
            ? length
            : SymbolicExtent.varying(
                formulas, choice + " widened length", "the length of the array");
    if (!before.hasRank() || !after.hasRank() || before.rank() != after.rank()) {
      return after.withoutCount().withLength(newLength);
    }
    AbstractShape widened =
        AbstractShape.of(widen(before.dims(), after.dims(), choice + " widened", "extent "))
            .withLod(after.lod())
            .withLength(newLength);
    boolean followed =
        before.hasElements()
            && after.hasElements()
            && before.elements().size() == after.elements().size();
    return followed
        ? widened.withElements(
            widen(before.elements(), after.elements(), choice + " widened @", "element "))
        : widened;
  }

  private ImmutableList<SymbolicExtent> widen(
      ImmutableList<SymbolicExtent> before,
      ImmutableList<SymbolicExtent> after,
      String name,
      String what) {
    ImmutableList.Builder<SymbolicExtent> widened = ImmutableList.builder();
    for (int i = 0; i < after.size(); i++) {
      boolean stays = before.get(i).equals(after.get(i));
      widened.add(
          stays ? after.get(i) : SymbolicExtent.varying(formulas, name + "#" + i, what + i));
    }
    return widened.build();
  }
}
