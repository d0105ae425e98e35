package dev.sublet.codec.request;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import java.util.OptionalLong;

/**
 * The options of a {@link PlanRequest} as the host gave them, neither checked nor defaulted. The
 * names are those of {@code plugin.proto}.
 *
 * @param words the options whose value is one of a few words, by name; options with an empty value
 *     are absent
 * @param numbers the options whose value is a number, by name; options with value 0 are absent
 * @param flags the names of the options that are on
 * @param nodes the number of nodes, which may be 0
 * @param shapes the shapes of feeds, by name
 * @param typical the shapes of feeds in a typical run, by name
 * @param lod the levels of sequence offsets of feeds, by name
 * @param fetch the names of the variables to fetch
 * @param keep the names of the variables to keep
 * @param alias the names of results that are one buffer with feeds, by the name of the feed
 * @param pools the pools, in the order of the request
 */
public record RequestOptions(
    ImmutableMap<String, String> words,
    ImmutableMap<String, Long> numbers,
    ImmutableSet<String> flags,
    OptionalLong nodes,
    ImmutableMap<String, ImmutableLongArray> shapes,
    ImmutableMap<String, ImmutableLongArray> typical,
    ImmutableMap<String, ImmutableList<ImmutableLongArray>> lod,
    ImmutableSet<String> fetch,
    ImmutableSet<String> keep,
    ImmutableMap<String, String> alias,
    ImmutableList<RequestedPool> pools) {

  /** A memory pool, as the host gave it. */
  public record RequestedPool(String name, long capacity) {

    public RequestedPool {
      requireNonNull(name, "name");
    }
  }

  public RequestOptions {
    requireNonNull(words, "words");
    requireNonNull(numbers, "numbers");
    requireNonNull(flags, "flags");
    requireNonNull(nodes, "nodes");
    requireNonNull(shapes, "shapes");
    requireNonNull(typical, "typical");
    requireNonNull(lod, "lod");
    requireNonNull(fetch, "fetch");
    requireNonNull(keep, "keep");
    requireNonNull(alias, "alias");
    requireNonNull(pools, "pools");
  }

  /** The names of all options that the host set, grouped by kind. */
  public ImmutableList<String> given() {
    ImmutableList.Builder<String> given = ImmutableList.builder();
    given.addAll(words.keySet()).addAll(numbers.keySet()).addAll(flags);
    addIf(given, nodes.isPresent(), "nodes");
    addIf(given, !shapes.isEmpty(), "shapes");
    addIf(given, !typical.isEmpty(), "typical");
    addIf(given, !lod.isEmpty(), "lod");
    addIf(given, !fetch.isEmpty(), "fetch");
    addIf(given, !keep.isEmpty(), "keep");
    addIf(given, !alias.isEmpty(), "alias");
    addIf(given, !pools.isEmpty(), "pools");
    return given.build();
  }

  private static void addIf(ImmutableList.Builder<String> names, boolean given, String name) {
    if (given) {
      names.add(name);
    }
  }
}
