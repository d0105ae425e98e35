package dev.sublet.sharing;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import java.util.Optional;

/**
 * What became of a variable's name, and why. Variables are dense indices of the program that was
 * shared.
 *
 * @param outcome what became of it
 * @param words why, in a few words; empty if the outcome and the closest one say it
 * @param members with whom it shares, itself included, by the first point of their ranges; empty if
 *     with nobody
 * @param closest the one that could share with it most nearly, if any is of its class
 */
public record SharingReason(
    Outcome outcome, String words, ImmutableList<Member> members, Optional<Closest> closest) {

  /** What became of a variable's name. */
  public enum Outcome {
    /** It shares. */
    SHARES,
    /** A rule keeps it from sharing with any variable. */
    LEFT_ALONE,
    /** It might share, but no other variable has its block, type, place and kind of size. */
    NO_OTHER,
    /** Every variable of its class is live together with it, or shares with one that is. */
    INTERFERES,
    /**
     * It has to keep its name, or carries sequence information, and those free do not suit that.
     */
    UNSUITABLE,
    /** Its group had no name that only one block declares. */
    NO_NAME,
    /** Nothing forbids it; the policy did not find it. */
    NOT_FOUND
  }

  /**
   * One of those that share a name.
   *
   * @param variable the variable
   * @param takesOverFrom the input of an in-place pair that hands the name over to it while both
   *     are needed; -1 if none does
   */
  public record Member(int variable, int takesOverFrom) {}

  /**
   * The group of the same class that a variable meets the least.
   *
   * @param variable the member that it meets, or the first one declared if it meets none
   * @param begin the first point at which both occupy their names; -1 if they never do
   * @param end the first point behind that stretch
   * @param points at how many points the variable and the whole group meet
   * @param group all variables with that name
   */
  public record Closest(
      int variable, int begin, int end, long points, ImmutableList<Integer> group) {

    public Closest {
      requireNonNull(group, "group");
    }
  }

  public SharingReason {
    requireNonNull(outcome, "outcome");
    requireNonNull(words, "words");
    requireNonNull(members, "members");
    requireNonNull(closest, "closest");
  }
}
