package dev.sublet.sharing;

import com.google.common.collect.ImmutableList;
import java.util.Optional;

/**
 * The reason why a variable shares its name or does not. Variables are dense indices of the program
 * before sharing.
 *
 * @param outcome the outcome for the variable
 * @param words the reason in a few words; empty if {@code outcome} and {@code closest} state it
 * @param members the variables with the same name, including this one, ordered by first point;
 *     empty if the variable does not share
 * @param closest the group that meets the variable at the fewest points, if there is another group
 *     of its class
 */
public record SharingReason(
    Outcome outcome, String words, ImmutableList<Member> members, Optional<Closest> closest) {

  /** The outcome of sharing for one variable. */
  public enum Outcome {
    /** The variable shares its name. */
    SHARES,
    /** A rule excludes the variable from sharing. */
    LEFT_ALONE,
    /** No other candidate has the block, type, memory space and kind of size of the variable. */
    NO_OTHER,
    /** Every suitable group of its class has a member that is live together with the variable. */
    INTERFERES,
    /**
     * No group of its class suits, because of a name that must stay or because of sequence
     * information (LoD).
     */
    UNSUITABLE,
    /** Its group was dissolved, because it had no name that only one block declares. */
    NO_NAME,
    /** Sharing is possible, but the policy did not find it. */
    NOT_FOUND
  }

  /**
   * A variable of a group that shares a name.
   *
   * @param variable the variable
   * @param takesOverFrom the input of an in-place pair whose name the variable takes at the same
   *     operator; -1 if there is none
   */
  public record Member(int variable, int takesOverFrom) {}

  /**
   * The group of the same class that meets a variable at the fewest points. Two variables meet at a
   * point if both occupy their names there.
   *
   * @param variable the member that meets the variable first; the first declared member if none
   *     does
   * @param begin the first point at which both occupy their names; -1 if they never do
   * @param end the first point after that stretch
   * @param points the number of points at which the variable and the whole group meet
   * @param group all variables of the group
   */
  public record Closest(
      int variable, int begin, int end, long points, ImmutableList<Integer> group) {}
}
