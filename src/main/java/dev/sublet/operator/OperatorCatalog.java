package dev.sublet.operator;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;

/** All operator types that Sublet knows. Lookups are O(log types). */
public final class OperatorCatalog {

  private static final OperatorCatalog STANDARD = new OperatorCatalog(ImmutableSortedMap.of());

  private final ImmutableSortedMap<String, OperatorSpec> specs;

  private OperatorCatalog(ImmutableSortedMap<String, OperatorSpec> specs) {
    this.specs = specs;
  }

  /** The catalog that ships with Sublet. */
  public static OperatorCatalog standard() {
    return STANDARD;
  }

  /**
   * A catalog of exactly these operators.
   *
   * @throws IllegalArgumentException if a type is listed twice
   */
  public static OperatorCatalog of(Iterable<OperatorSpec> specs) {
    ImmutableSortedMap.Builder<String, OperatorSpec> byType = ImmutableSortedMap.naturalOrder();
    for (OperatorSpec spec : specs) {
      byType.put(spec.type(), spec);
    }
    return new OperatorCatalog(byType.buildOrThrow());
  }

  /** What is known about a type; the worst case for a type that is not listed. */
  public OperatorSpec lookup(String type) {
    OperatorSpec spec = specs.get(type);
    return spec == null ? OperatorSpec.unknown(type) : spec;
  }

  /** The listed operators, by type. */
  public ImmutableList<OperatorSpec> all() {
    return specs.values().asList();
  }

  /**
   * The in-place pairs of an operator that are on for programs of a version, in table order.
   *
   * @param version the program's version, such as 2005001; 0 if it has none
   */
  public ImmutableList<InPlacePair> inPlacePairs(OperatorSpec spec, long version) {
    return spec.inPlacePairs();
  }
}
