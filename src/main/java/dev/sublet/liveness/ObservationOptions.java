package dev.sublet.liveness;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableSet;

/**
 * What the user wants to find unchanged at the end.
 *
 * @param fetch names of variables that are fetched beside those of {@code fetch} operators
 * @param keep names of variables that keep name and value, wherever they are declared
 * @param reuseFeeds whether a feed's storage may be reused once it is not needed any more
 */
public record ObservationOptions(
    ImmutableSet<String> fetch, ImmutableSet<String> keep, boolean reuseFeeds) {

  public ObservationOptions {
    requireNonNull(fetch, "fetch");
    requireNonNull(keep, "keep");
  }

  /** Only what the program itself fetches. */
  public static ObservationOptions defaults() {
    return new ObservationOptions(ImmutableSet.of(), ImmutableSet.of(), /* reuseFeeds= */ false);
  }
}
