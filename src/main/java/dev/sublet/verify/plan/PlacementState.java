package dev.sublet.verify.plan;

import dev.sublet.verify.graph.ChangeLog;
import dev.sublet.verify.graph.ChangedSince;
import dev.sublet.verify.graph.IntList;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntPredicate;

/**
 * The location of each variable's value, and what it was when the open bodies were entered.
 *
 * <pre>
 *   x at [0, 64), then y = relu(x) at [0, 64)      y: its location, x: INVALID
 * </pre>
 *
 * <p>O(1) per change; leaving, repeating or comparing a body is O(changes in it).
 */
final class PlacementState {

  /** The state of a variable that was not written since it was last undefined. */
  static final int UNWRITTEN = -1;

  /**
   * The state of a variable that another variable overwrote, or that has different locations on
   * different paths.
   */
  static final int INVALID = -2;

  /** A control operator that is being run. */
  private static final class Frame {
    private final int head;
    private int mark;

    /** The known phases of the loops when the operator was reached. */
    private final int[] reached;

    /** For a loop: variables and their locations where its body was left, since the latest pass. */
    private final IntList departed = new IntList();

    private final IntList departedValues = new IntList();

    Frame(int head, int mark, int[] reached) {
      this.head = head;
      this.mark = mark;
      this.reached = reached;
    }
  }

  private final PhasedLocations locations;

  /** By variable: a location, {@link #UNWRITTEN} or {@link #INVALID}. */
  private final int[] current;

  private final ChangeLog log = new ChangeLog();
  private final ChangedSince changed;
  private final ArrayDeque<Frame> frames = new ArrayDeque<>();

  /** Creates the state in which no variable is written. */
  PlacementState(int variables, PhasedLocations locations) {
    this.locations = locations;
    this.current = new int[variables];
    Arrays.fill(current, UNWRITTEN);
    this.changed = new ChangedSince(log, variables, 0);
  }

  /** Whether no body is open, so that no point before this one is reached again. */
  boolean isOutermost() {
    return frames.isEmpty();
  }

  /** Returns a variable's location, {@link #UNWRITTEN} or {@link #INVALID}. */
  int get(int variable) {
    return current[variable];
  }

  /** Sets a variable's location, {@link #UNWRITTEN} or {@link #INVALID}. */
  void set(int variable, int value) {
    int previous = current[variable];
    if (previous != value) {
      log.record(variable, previous);
      move(variable, value);
    }
  }

  private void move(int variable, int value) {
    if (current[variable] >= 0) {
      locations.release(current[variable]);
    }
    current[variable] = value;
    if (value >= 0) {
      locations.hold(value);
    }
  }

  /**
   * Enters a body.
   *
   * @param head the operator that runs it
   * @param reached the known phases of the loops when its operator was reached
   */
  void enter(int head, int[] reached) {
    frames.push(new Frame(head, log.open(), reached));
  }

  /**
   * Leaves the body of a loop from inside, which is another path to the point after the loop.
   *
   * @param remains whether a variable is still defined after the loop
   */
  void depart(int loop, IntPredicate remains) {
    for (Frame frame : frames) {
      if (frame.head == loop) {
        changed.collect(frame.mark);
        for (int i = 0; i < changed.size(); i++) {
          int variable = changed.variable(i);
          if (remains.test(variable)) {
            frame.departed.add(variable);
            frame.departedValues.add(current[variable]);
          }
        }
      }
    }
  }

  /**
   * Returns the known phases of the loops when the operator of the innermost open body was reached.
   */
  int[] reached() {
    return frames.getFirst().reached;
  }

  /** Returns the changes since the body was entered, or since the head of its loop was weakened. */
  ChangedSince changedInBody() {
    changed.collect(frames.getFirst().mark);
    return changed;
  }

  /**
   * Undoes the changes of a loop's body; returns the locations before the undo, by changed
   * variable.
   */
  SortedMap<Integer, Integer> takeBack() {
    SortedMap<Integer, Integer> end = new TreeMap<>();
    changed.collect(frames.getFirst().mark);
    for (int i = 0; i < changed.size(); i++) {
      end.put(changed.variable(i), current[changed.variable(i)]);
    }
    restore();
    return end;
  }

  private void restore() {
    for (int i = 0; i < changed.size(); i++) {
      move(changed.variable(i), changed.previous(i));
    }
    log.truncate(frames.getFirst().mark);
  }

  /**
   * Replaces the state at a loop's head by its common part with that at the body's end. Returns
   * whether that is weaker.
   */
  boolean weaken() {
    changed.collect(frames.getFirst().mark);
    int[] common = new int[changed.size()];
    boolean weaker = false;
    for (int i = 0; i < common.length; i++) {
      common[i] = meet(changed.previous(i), current[changed.variable(i)]);
      weaker |= common[i] != changed.previous(i);
    }
    restore();
    for (int i = 0; weaker && i < common.length; i++) {
      set(changed.variable(i), common[i]);
    }
    Frame frame = frames.getFirst();
    frame.mark = log.size();
    if (weaker) {
      frame.departed.truncate(0);
      frame.departedValues.truncate(0);
    }
    return weaker;
  }

  /**
   * Returns the location that is certain after an operator's body has run or has been skipped.
   *
   * <p>If the body has run, loops in it may have run for the first time. So a location that depends
   * on these loops is certain if, for the phases known before the body, it equals the old one.
   *
   * @param before the location if the body has not run
   * @param after the location if it has run
   */
  int meet(int before, int after) {
    boolean places = before >= 0 && after >= 0;
    return places && locations.known(after, frames.getFirst().reached) == before
        ? after
        : common(before, after);
  }

  /**
   * Returns the location that is certain after either of two paths: an unwritten one does not
   * count, and two different ones are {@link #INVALID}.
   */
  static int common(int a, int b) {
    if (a == b || b == UNWRITTEN) {
      return a;
    }
    return a == UNWRITTEN ? b : INVALID;
  }

  /** Leaves a loop with the state of its head, or from inside its body. */
  void leaveLoop() {
    Frame frame = frames.pop();
    for (int i = 0; i < frame.departed.size(); i++) {
      int variable = frame.departed.get(i);
      set(variable, common(current[variable], frame.departedValues.get(i)));
    }
    log.close();
  }

  /**
   * Leaves a branch.
   *
   * @param maySkip whether the same point is reached if the branch has not run
   */
  void leaveBranch(boolean maySkip) {
    if (maySkip) {
      ChangedSince inBody = changedInBody();
      for (int i = 0; i < inBody.size(); i++) {
        set(inBody.variable(i), meet(inBody.previous(i), current[inBody.variable(i)]));
      }
    }
    frames.pop();
    log.close();
  }

  /**
   * Leaves the first of two exclusive branches, and returns to the state before it, in which the
   * second one begins. A location that depends on loops of the first branch remains that of after
   * the branch where both are the same.
   *
   * @return the locations at the end of the first branch, by changed variable
   */
  SortedMap<Integer, Integer> leaveFirstBranch() {
    changed.collect(frames.getFirst().mark);
    SortedMap<Integer, Integer> end = new TreeMap<>();
    SortedMap<Integer, Integer> same = new TreeMap<>();
    for (int i = 0; i < changed.size(); i++) {
      int v = changed.variable(i);
      end.put(v, current[v]);
      if (changed.previous(i) >= 0 && meet(changed.previous(i), current[v]) >= 0) {
        same.put(v, current[v]);
      }
    }
    restore();
    same.forEach(this::set);
    frames.pop();
    log.close();
    return end;
  }

  /**
   * Leaves the second of two exclusive branches: exactly one of them has run.
   *
   * @param first the locations at the end of the first branch, by variable that it changed
   */
  void leaveSecondBranch(SortedMap<Integer, Integer> first) {
    SortedMap<Integer, Integer> either = new TreeMap<>(first);
    ChangedSince inBody = changedInBody();
    for (int i = 0; i < inBody.size(); i++) {
      either.putIfAbsent(inBody.variable(i), inBody.previous(i));
    }
    either.forEach((v, afterFirst) -> set(v, meet(afterFirst, current[v])));
    frames.pop();
    log.close();
  }
}
