package dev.sublet.operator;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;

/**
 * All operator types that Sublet knows: the package's front door. Lookups are O(log types).
 *
 * <p>The entries are in the {@code *Operators} files, one file a family; a new file is one line in
 * {@link #collect}.
 */
public final class OperatorCatalog {

  private static final OperatorCatalog STANDARD = new OperatorCatalog(collect());

  private final ImmutableSortedMap<String, OperatorSpec> specs;

  private OperatorCatalog(ImmutableSortedMap<String, OperatorSpec> specs) {
    this.specs = specs;
  }

  private static ImmutableSortedMap<String, OperatorSpec> collect() {
    CatalogBuilder catalog = new CatalogBuilder();
    ActivationOperators.addTo(catalog);
    ElementwiseOperators.addTo(catalog);
    LinearAlgebraOperators.addTo(catalog);
    ShapeOperators.addTo(catalog);
    CreationOperators.addTo(catalog);
    NeuralOperators.addTo(catalog);
    FusedOperators.addTo(catalog);
    LossOperators.addTo(catalog);
    DetectionOperators.addTo(catalog);
    SequenceOperators.addTo(catalog);
    ControlOperators.addTo(catalog);
    OptimizerOperators.addTo(catalog);
    CollectiveOperators.addTo(catalog);
    OnnxOperators.addTo(catalog);
    OnnxLoopOperators.addTo(catalog);
    return catalog.build();
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
   * The in-place pairs of an operator that are on for programs of a version, in table order. They
   * are hints about the type: whether one is legal at an operator (the input dies there, sizes are
   * equal, and so on) is not checked here.
   *
   * <p>A version stands for the latest of Paddle's snapshots 1.5, 1.8, 2.0, 2.2, 2.3, 2.4, 2.6 and
   * HEAD (3.0) that is not newer, and a pair is on where the table lists it; before 1.5 none is.
   * Pairs that moved to generated code stay on from there, pairs known from generated code alone
   * are off. Version 0 needs the pair on at each of 1.8 to 2.4. A pair listed as verified is on
   * from 2.0 on and at version 0, whatever else is listed. O(length of the listings).
   *
   * @param version the program's version, such as 2005001; 0 if it has none
   */
  public ImmutableList<InPlacePair> inPlacePairs(OperatorSpec spec, long version) {
    if (spec.inPlacePairs().isEmpty()) {
      return spec.inPlacePairs();
    }
    ImmutableList.Builder<InPlacePair> on = ImmutableList.builder();
    for (InPlacePair pair : spec.inPlacePairs()) {
      if (InPlaceVersions.includes(pair.versions(), version)) {
        on.add(pair);
      }
    }
    return on.build();
  }
}
