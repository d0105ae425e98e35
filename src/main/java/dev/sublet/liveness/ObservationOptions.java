package dev.sublet.liveness;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;

/**
 * The variables that the user wants to find unchanged at the end.
 *
 * @param fetch the names of further fetched variables, beside the inputs of {@code fetch} operators
 * @param keep the names of variables that keep name and value, whichever block declares them
 * @param reuseFeeds whether the storage of a feed may be reused after its last use
 * @param aliases by the name of a feed, the result that takes its storage, see {@link FeedAlias}
 */
public record ObservationOptions(
    ImmutableSet<String> fetch,
    ImmutableSet<String> keep,
    boolean reuseFeeds,
    ImmutableMap<String, String> aliases) {

  public ObservationOptions {
    requireNonNull(fetch, "fetch");
    requireNonNull(keep, "keep");
    requireNonNull(aliases, "aliases");
  }

  /** Options in which no result takes the storage of a feed. */
  public ObservationOptions(
      ImmutableSet<String> fetch, ImmutableSet<String> keep, boolean reuseFeeds) {
    this(fetch, keep, reuseFeeds, ImmutableMap.of());
  }

  /** The same options with these aliases. */
  public ObservationOptions withAliases(ImmutableMap<String, String> newAliases) {
    return new ObservationOptions(fetch, keep, reuseFeeds, newAliases);
  }

  /** The options that observe only the variables that the program itself fetches. */
  public static ObservationOptions defaults() {
    return new ObservationOptions(ImmutableSet.of(), ImmutableSet.of(), /* reuseFeeds= */ false);
  }
}
