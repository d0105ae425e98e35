package dev.sublet.loop;

import com.google.common.collect.ImmutableList;
import java.util.List;

/**
 * Carries whose values take turns in the same places: a chain from what the loop computes to the
 * variable that sees it last, or a cycle; and guests, who look at these places from the second
 * iteration on.
 *
 * @param root the web that computes the value; -1 for a cycle
 * @param members the carries: those of a chain from the root on, those of a cycle in any direction
 *     such that each copies what the one before it holds
 * @param guests others that see what a member sees, see {@link Family}
 * @param length how many places there are
 * @param reason why so many
 */
record Ring(int root, List<Candidate> members, List<Candidate> guests, int length, String reason) {

  /** The members, then the guests. */
  ImmutableList<Candidate> all() {
    return ImmutableList.<Candidate>builder().addAll(members).addAll(guests).build();
  }
}
