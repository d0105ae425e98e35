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
 * Where each variable's value is, and what that was when the bodies that are being run were
 * entered.
 *
 * <p>O(1) a change; leaving, repeating or comparing a body is O(changes in it).
 */
final class PlacementState {

  /** Not written since it was last undefined. */
  static final int UNWRITTEN = -1;

  /** Overwritten by another variable, or in different places on different paths. */
  static final int INVALID = -2;

  /** A control operator that is being run. */
  private static final class Frame {
    private final int head;
    private int mark;

    /** What was known of the loops where the operator was reached. */
    private final int[] reached;

    /** Of a loop: variables and their values where its body was left, since the latest pass. */
    private final IntList departed = new IntList();

    private final IntList departedValues = new IntList();

    Frame(int head, int mark, int[] reached) {
      this.head = head;
      this.mark = mark;
      this.reached = reached;
    }
  }

  private final PhasedLocations locations;

  /** By variable: a site, or one of the above. */
  private final int[] current;

  private final ChangeLog log = new ChangeLog();
  private final ChangedSince changed;
  private final ArrayDeque<Frame> frames = new ArrayDeque<>();

  /** Nothing is written. */
  PlacementState(int variables, PhasedLocations locations) {
    this.locations = locations;
    this.current = new int[variables];
    Arrays.fill(current, UNWRITTEN);
    this.changed = new ChangedSince(log, variables, 0);
  }

  int get(int variable) {
    return current[variable];
  }

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
   * A body begins.
   *
   * @param head the operator that runs it
   * @param reached what was known of the loops where its operator was reached
   */
  void enter(int head, int[] reached) {
    frames.push(new Frame(head, log.open(), reached));
  }

  /**
   * The body of a loop is left from inside; behind the loop that is another way to have come.
   *
   * @param remains whether a variable is still there behind the loop
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

  /** What was known of the loops where the innermost open body's operator was reached. */
  int[] reached() {
    return frames.getFirst().reached;
  }

  /** What has changed since the body was entered, or since its loop's head was weakened. */
  ChangedSince changedInBody() {
    changed.collect(frames.getFirst().mark);
    return changed;
  }

  /** Takes back what a loop's body has changed; returns what that was, by variable. */
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

  /** Makes a loop's head what it has in common with the body's end; whether that is weaker. */
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
   * What is certain if an operator's body has run, or has not since it was reached. If it has,
   * loops in it may have run that never had: a site that depends on them is where it is for no
   * iterations if the body has not run.
   */
  int meet(int before, int after) {
    boolean places = before >= 0 && after >= 0;
    return places && locations.known(after, frames.getFirst().reached) == before
        ? after
        : common(before, after);
  }

  /** What is certain if one path, or the other, has led here. */
  static int common(int a, int b) {
    if (a == b || b == UNWRITTEN) {
      return a;
    }
    return a == UNWRITTEN ? b : INVALID;
  }

  /** A loop is left with the state of its head, or from inside its body. */
  void leaveLoop() {
    Frame frame = frames.pop();
    for (int i = 0; i < frame.departed.size(); i++) {
      int variable = frame.departed.get(i);
      set(variable, common(current[variable], frame.departedValues.get(i)));
    }
    log.close();
  }

  /**
   * A branch is left.
   *
   * @param maySkip whether this is also where one gets to if it has not run
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
}
