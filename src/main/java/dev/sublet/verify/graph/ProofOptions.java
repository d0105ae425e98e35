package dev.sublet.verify.graph;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableSet;

/**
 * The values that the user wants after a run, in addition to the results that the program declares.
 *
 * @param fetch names whose values are wanted; if there are any, the program's unread results are
 *     not counted as results
 * @param keep further names that keep their variable and its value
 * @param reuseFeeds whether the memory of feeds may be reused once they have been read
 */
public record ProofOptions(
    ImmutableSet<String> fetch, ImmutableSet<String> keep, boolean reuseFeeds) {

  public ProofOptions {
    requireNonNull(fetch, "fetch");
    requireNonNull(keep, "keep");
  }

  /** Returns options with only the program's own fetches and feeds. */
  public static ProofOptions defaults() {
    return new ProofOptions(ImmutableSet.of(), ImmutableSet.of(), /* reuseFeeds= */ false);
  }
}
