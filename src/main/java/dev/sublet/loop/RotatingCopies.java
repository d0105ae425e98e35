package dev.sublet.loop;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import java.util.List;

/**
 * Loop-carried copies whose values rotate through the same buffers: a chain from the value that the
 * loop computes to the last copy of it, or a cycle.
 *
 * <pre>{@code
 * y = f(x); b = assign(a); a = assign(y)        chain  y → a → b     2 or 3 buffers
 * t = assign(a); a = assign(b); b = assign(t)   cycle  a ⇄ b         2 buffers
 * }</pre>
 *
 * @param root the web of the computed value; -1 for a cycle
 * @param members the copies: those of a chain from the root on, those of a cycle such that each one
 *     copies the target of the one before it
 * @param followers the other copies of the {@link PhiClass}: from the second iteration on, the
 *     target of each has the same value as a member's target
 * @param length the number of buffers
 * @param reason the reason for that number
 */
record RotatingCopies(
    int root, List<Candidate> members, List<Candidate> followers, int length, String reason) {

  /** Whether the target and the computed variable may become one, so that nothing moves. */
  boolean mayCoalesce() {
    return length == 1 && followers.isEmpty() && !members.get(0).holdsOthers;
  }

  /** The webs of the targets, if they get slots of their own; none if they become one variable. */
  ImmutableSet<Integer> movedWebs() {
    if (mayCoalesce() && members.get(0).first == null) {
      return ImmutableSet.of();
    }
    ImmutableSet.Builder<Integer> webs = ImmutableSet.builder();
    for (Candidate each : all()) {
      webs.add(each.web);
      if (each.webAtStart >= 0) {
        webs.add(each.webAtStart);
      }
    }
    return webs.build();
  }

  /** The members, then the followers. */
  ImmutableList<Candidate> all() {
    return ImmutableList.<Candidate>builder().addAll(members).addAll(followers).build();
  }
}
