package dev.sublet.loop;

import java.util.ArrayList;
import java.util.List;

/**
 * The loop-carried copies of one value: a phi congruence class (Sreedhar 1999).
 *
 * <p>The targets of the members take turns in the same slots. A follower gets the same value as one
 * of the members, but starts the loop with a value of its own.
 *
 * <pre>{@code
 * y = f(x); b = assign(a); a = assign(y); g = assign(y)
 * members: y → a, a → b     follower: y → g, the same value as a from the second iteration on
 * }</pre>
 *
 * @param members a chain from the value that the loop computes, or a cycle: each member copies the
 *     target of the member before it
 * @param followers the other copies of the class: each copies the computed value or a member's
 *     target
 */
record PhiClass(List<Candidate> members, List<Candidate> followers) {

  boolean isCycle() {
    return members.get(0).predecessor != null;
  }

  /** The followers that have not been refused. */
  List<Candidate> admitted() {
    List<Candidate> admitted = new ArrayList<>();
    for (Candidate follower : followers) {
      if (!follower.isRefused()) {
        admitted.add(follower);
      }
    }
    return admitted;
  }
}
