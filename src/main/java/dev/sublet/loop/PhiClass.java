package dev.sublet.loop;

import java.util.ArrayList;
import java.util.List;

/**
 * Loop-carried copies of one value: those that take turns in the same places, and guests, which see
 * the same as one of these but start with something else.
 *
 * @param members a chain from the value that the loop computes on, or a cycle, each copying what
 *     the one before it holds
 * @param guests the others that copy what a member copies, or what a member holds
 */
record PhiClass(List<Candidate> members, List<Candidate> guests) {

  boolean isCycle() {
    return members.get(0).predecessor != null;
  }

  /** The guests that nothing speaks against. */
  List<Candidate> admitted() {
    List<Candidate> admitted = new ArrayList<>();
    for (Candidate guest : guests) {
      if (!guest.isRefused()) {
        admitted.add(guest);
      }
    }
    return admitted;
  }
}
