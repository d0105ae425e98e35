package dev.sublet.loop;

import dev.sublet.program.Operation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A copy that looks like a carry, while it is being decided what becomes of it. */
final class Candidate {

  final Operation copy;
  final int node;
  final int source;
  final int target;

  /** The target's web behind the copy, and at the start of the body; -1 if it is dead there. */
  int web = -1;

  int webAtStart = -1;

  /** Whether its target has other values in the loop, too, before the copy writes it. */
  boolean holdsOthers;

  /** What its value is: computed in the iteration, in this web; or -1. */
  int root = -1;

  /** Or what another candidate's target holds when the iteration starts; or null. */
  @Nullable Candidate predecessor;

  /** As what it sees the value of its ring, see {@link RotatingBuffers}. */
  int shift;

  /** Copies of a carried variable through which the value comes. */
  List<LoopCarrySources.Temporary> temporaries = new ArrayList<>();

  /** Where it is in the first iteration if that is no place of its ring. */
  @Nullable InitialLocation first;

  private String objection = "";
  private LoopCarriedCopy.Decision decision = LoopCarriedCopy.Decision.COPIED;
  private int repeat = 1;
  private String reason = "";

  Candidate(Operation copy, int node) {
    this.copy = copy;
    this.node = node;
    this.source = copy.input(0);
    this.target = copy.output(0);
  }

  /** Lets the copy stay, unless there is no objection or another one came first. */
  void refuse(String newObjection) {
    if (objection.isEmpty()) {
      objection = newObjection;
    }
  }

  boolean isRefused() {
    return !objection.isEmpty();
  }

  void decide(LoopCarriedCopy.Decision newDecision, int newRepeat, String newReason) {
    decision = newDecision;
    repeat = newRepeat;
    reason = newReason;
  }

  LoopCarriedCopy toCarry() {
    return new LoopCarriedCopy(
        copy, source, target, decision, repeat, isRefused() ? objection : reason);
  }
}
