package dev.sublet.loop;

import java.util.List;

/**
 * Carries whose values take turns in the same places: a chain from what the loop computes to the
 * variable that sees it last, or a cycle.
 *
 * @param root the web that computes the value; -1 for a cycle
 * @param members the carries: those of a chain from the root on, those of a cycle in any direction
 *     such that each copies what the one before it holds
 * @param length how many places there are
 * @param reason why so many
 */
record Ring(int root, List<Candidate> members, int length, String reason) {

  /** As what a member's target sees the value, see {@link Component}. */
  int shift(int member) {
    return root >= 0 ? -1 - member : -member;
  }
}
