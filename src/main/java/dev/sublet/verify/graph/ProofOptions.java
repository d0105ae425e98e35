package dev.sublet.verify.graph;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableSet;

/**
 * What the user wants to see after a run, beyond what the program itself says.
 *
 * @param fetch names whose values are wanted; if there are any, the program's unread results are
 *     not taken for results
 * @param keep further names that keep their variable and its value
 * @param reuseFeeds whether the memory of feeds may be reused once they have been read
 */
public record ProofOptions(
    ImmutableSet<String> fetch, ImmutableSet<String> keep, boolean reuseFeeds) {

  public ProofOptions {
    requireNonNull(fetch, "fetch");
    requireNonNull(keep, "keep");
  }

  /** Nothing beyond the program's own fetches and feeds. */
  public static ProofOptions defaults() {
    return new ProofOptions(ImmutableSet.of(), ImmutableSet.of(), /* reuseFeeds= */ false);
  }
}
