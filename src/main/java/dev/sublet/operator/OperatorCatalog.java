package dev.sublet.operator;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedMap;
import dev.sublet.operator.onnx.OnnxLoopOperators;
import dev.sublet.operator.onnx.OnnxOperators;
import dev.sublet.operator.paddle.activation.ActivationOperators;
import dev.sublet.operator.paddle.control.CollectiveOperators;
import dev.sublet.operator.paddle.control.ControlOperators;
import dev.sublet.operator.paddle.control.OrderRules;
import dev.sublet.operator.paddle.convolution.ConvolutionOperators;
import dev.sublet.operator.paddle.detection.DetectionOperators;
import dev.sublet.operator.paddle.elementwise.ElementwiseOperators;
import dev.sublet.operator.paddle.fused.FusedOperators;
import dev.sublet.operator.paddle.loss.LossOperators;
import dev.sublet.operator.paddle.optimizer.OptimizerOperators;
import dev.sublet.operator.paddle.product.LayerOperators;
import dev.sublet.operator.paddle.product.LinearAlgebraOperators;
import dev.sublet.operator.paddle.recurrent.RecurrentOperators;
import dev.sublet.operator.paddle.reduction.ReductionOperators;
import dev.sublet.operator.paddle.sequence.SequenceOperators;
import dev.sublet.operator.paddle.shape.CreationOperators;
import dev.sublet.operator.paddle.shape.ShapeOperators;
import dev.sublet.operator.spec.CatalogBuilder;
import dev.sublet.operator.spec.InPlaceMode;
import dev.sublet.operator.spec.InPlacePair;
import dev.sublet.operator.spec.InPlaceVersions;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.program.Operation;

/**
 * All operator types that Sublet knows: the package's front door. Lookups are O(1).
 *
 * <p>The entries are in the {@code *Operators} files, one folder per family; each file is one line
 * in {@link #collect}.
 */
public final class OperatorCatalog {

  private static final OperatorCatalog STANDARD = collect();

  private final ImmutableMap<String, OperatorSpec> specs;
  private final ImmutableMap<String, String> families;
  private final InPlaceMode mode;
  private final long runtime;

  private OperatorCatalog(
      ImmutableMap<String, OperatorSpec> specs,
      ImmutableMap<String, String> families,
      InPlaceMode mode,
      long runtime) {
    this.specs = specs;
    this.families = families;
    this.mode = mode;
    this.runtime = runtime;
  }

  private static OperatorCatalog collect() {
    CatalogBuilder catalog = new CatalogBuilder();
    ActivationOperators.addTo(catalog.under("activation"));
    ElementwiseOperators.addTo(catalog.under("elementwise"));
    ReductionOperators.addTo(catalog.under("reduction"));
    LinearAlgebraOperators.addTo(catalog.under("linear algebra"));
    ShapeOperators.addTo(catalog.under("shape"));
    CreationOperators.addTo(catalog.under("creation"));
    ConvolutionOperators.addTo(catalog.under("convolution"));
    LayerOperators.addTo(catalog.under("layer"));
    RecurrentOperators.addTo(catalog.under("recurrent"));
    FusedOperators.addTo(catalog.under("fused"));
    LossOperators.addTo(catalog.under("loss"));
    DetectionOperators.addTo(catalog.under("detection"));
    SequenceOperators.addTo(catalog.under("sequence"));
    ControlOperators.addTo(catalog.under("control flow"));
    OptimizerOperators.addTo(catalog.under("optimizer"));
    CollectiveOperators.addTo(catalog.under("collective"));
    OrderRules.setIn(catalog);
    OnnxOperators.addTo(catalog.under("ONNX"));
    OnnxLoopOperators.addTo(catalog.under("ONNX control flow"));
    return new OperatorCatalog(
        ImmutableMap.copyOf(catalog.build()),
        catalog.families(),
        InPlaceMode.VERIFIED,
        /* runtime= */ 0);
  }

  /** The catalog that ships with Sublet; verified in-place pairs are on, for any runtime. */
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
    return new OperatorCatalog(
        ImmutableMap.copyOf(byType.buildOrThrow()),
        ImmutableMap.of(),
        InPlaceMode.VERIFIED,
        /* runtime= */ 0);
  }

  /** Returns the facts about a type; for a type that is not listed, the worst case. */
  public OperatorSpec lookup(String type) {
    OperatorSpec spec = specs.get(type);
    return spec == null ? OperatorSpec.unknown(type) : spec;
  }

  /** The family of a listed type, such as {@code activation}; empty for other types. */
  public String family(String type) {
    return families.getOrDefault(type, "");
  }

  /** The listed operators, by type. */
  public ImmutableList<OperatorSpec> all() {
    return specs.values().asList();
  }

  /**
   * The same catalog, with other in-place pairs on. O(1).
   *
   * @param newMode which pairs may be taken
   * @param newRuntime the version of the runtime, such as 2003002; 0 for any that may run a
   *     program, from the program's own version up
   */
  public OperatorCatalog with(InPlaceMode newMode, long newRuntime) {
    return new OperatorCatalog(specs, families, newMode, newRuntime);
  }

  /**
   * The in-place pairs of an operator that are on for programs of a version, in table order. They
   * are hints about the type: whether one is legal at an operator (the input dies there, sizes are
   * equal, the condition is met, and so on) is not checked here. {@link InPlaceVersions} has the
   * rule. O(length of the listings).
   *
   * @param version the program's version, such as 2005001; 0 if it has none
   */
  public ImmutableList<InPlacePair> inPlacePairs(OperatorSpec spec, long version) {
    if (spec.inPlacePairs().isEmpty() || mode == InPlaceMode.NONE) {
      return ImmutableList.of();
    }
    ImmutableList.Builder<InPlacePair> on = ImmutableList.builder();
    for (InPlacePair pair : spec.inPlacePairs()) {
      if (spec.isOnnx() || isOn(pair, version)) {
        on.add(pair);
      }
    }
    return on.build();
  }

  /**
   * The same pairs at an operator; none if the operator has a block, because nobody knows what the
   * block of an operator does that is not one for control flow.
   */
  public ImmutableList<InPlacePair> inPlacePairs(Operation operation, long version) {
    return operation.blocks().isEmpty()
        ? inPlacePairs(lookup(operation.type()), version)
        : ImmutableList.of();
  }

  private boolean isOn(InPlacePair pair, long version) {
    return pair.runs().any()
        ? InPlaceVersions.isRight(pair.versions(), version, runtime)
        : mode == InPlaceMode.TABLE && InPlaceVersions.isListed(pair.versions(), version, runtime);
  }
}
