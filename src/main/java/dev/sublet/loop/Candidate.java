package dev.sublet.loop;

import dev.sublet.program.Operation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A copy that looks like a loop-carried copy, while the analysis decides about it. */
final class Candidate {

  final Operation copy;
  final int node;
  final int source;
  final int target;

  /**
   * The target's web after the copy, and at the start of the body; -1 if the target is dead there.
   */
  int web = -1;

  int webAtStart = -1;

  /** Whether the target has other values in the iteration, too, before the copy writes it. */
  boolean holdsOthers;

  /**
   * The web in which the iteration computes the copied value; -1 if the iteration does not compute
   * it.
   */
  int root = -1;

  /**
   * The candidate whose target has the copied value when the iteration starts; null if there is
   * none.
   */
  @Nullable Candidate predecessor;

  /** The target's shift in its rotation, see {@link RotatingBuffers}. */
  int shift;

  /**
   * The copies inside the body through which the value passes on its way from another carried
   * variable.
   */
  List<LoopCarrySources.Temporary> temporaries = new ArrayList<>();

  /** The target's location in the first iteration; null if that is a slot of its rotation. */
  @Nullable InitialLocation first;

  private @Nullable String objection;
  private LoopCarriedCopy.Decision decision = LoopCarriedCopy.Decision.COPIED;
  private int repeat = 1;
  private String reason = "";

  Candidate(Operation copy, int node) {
    this.copy = copy;
    this.node = node;
    this.source = copy.input(0);
    this.target = copy.output(0);
  }

  /** Refuses to remove the copy, for a reason. Does nothing if the copy was refused before. */
  void refuse(String newObjection) {
    if (objection == null) {
      objection = newObjection;
    }
  }

  boolean isRefused() {
    return objection != null;
  }

  void decide(LoopCarriedCopy.Decision newDecision, int newRepeat, String newReason) {
    decision = newDecision;
    repeat = newRepeat;
    reason = newReason;
  }

  LoopCarriedCopy toCarry() {
    return new LoopCarriedCopy(
        copy, source, target, decision, repeat, objection == null ? reason : objection);
  }
}
