package dev.sublet.verify.graph;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;

/**
 * The values that the user wants after a run, in addition to the results that the program declares.
 *
 * @param fetch names whose values are wanted; if there are any, the program's unread results are
 *     not counted as results
 * @param keep further names that keep their variable and its value
 * @param reuseFeeds whether the memory of feeds may be reused once they have been read
 * @param aliases by the name of a feed, the result that must begin at the same byte after the run;
 *     the memory of such a feed may be reused once it has been read
 */
public record ProofOptions(
    ImmutableSet<String> fetch,
    ImmutableSet<String> keep,
    boolean reuseFeeds,
    ImmutableMap<String, String> aliases) {

  public ProofOptions {
    requireNonNull(fetch, "fetch");
    requireNonNull(keep, "keep");
    requireNonNull(aliases, "aliases");
  }

  /** Options without aliases. */
  public ProofOptions(ImmutableSet<String> fetch, ImmutableSet<String> keep, boolean reuseFeeds) {
    this(fetch, keep, reuseFeeds, ImmutableMap.of());
  }

  /** Returns options with only the program's own fetches and feeds. */
  public static ProofOptions defaults() {
    return new ProofOptions(ImmutableSet.of(), ImmutableSet.of(), /* reuseFeeds= */ false);
  }
}
