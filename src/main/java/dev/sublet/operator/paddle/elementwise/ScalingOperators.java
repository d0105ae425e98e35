package dev.sublet.operator.paddle.elementwise;

import static dev.sublet.operator.spec.InPlaceVersions.GENERATED_ONLY;
import static dev.sublet.operator.spec.InPlaceVersions.SINCE_1_8_GENERATED;

import dev.sublet.operator.infer.ElementwiseShapes;
import dev.sublet.operator.paddle.reduction.ReductionShapes;
import dev.sublet.operator.paddle.shape.WindowShapes;
import dev.sublet.operator.spec.CatalogBuilder;
import dev.sublet.operator.spec.ViewRules;

/**
 * Catalog entries for casts, scaling and limits of each element, tests for infinity and NaN, and
 * parts of complex numbers.
 */
final class ScalingOperators {

  private ScalingOperators() {}

  /** Adds the entries. */
  static void addTo(CatalogBuilder catalog) {
    catalog.addFamily(ElementwiseShapes::likeX, ScalingOperators::addScaling);
    catalog.addFamily(ElementwiseShapes::likeX, ScalingOperators::addPredicatesAndComplexNumbers);
  }

  private static void addScaling(CatalogBuilder catalog) {
    catalog.addAll("clip_by_norm");
    catalog.add("increment").shape(ElementShapes::increment);
    catalog.add("cast").replacesLod("Out").shape(ElementShapes::cast);
    catalog
        .add("clip")
        .replacesLod("Out")
        .inPlace(SINCE_1_8_GENERATED)
        .withGradient()
        .inPlace(SINCE_1_8_GENERATED);
    catalog.add("identity_loss").inPlace("2.4,2.6,yaml").withGradient().inPlace("2.4,2.6,yaml");
    catalog.add("renorm").inPlace(GENERATED_ONLY).withGradient();
    catalog
        .add("scale")
        .replacesLod("Out")
        .shape(ElementShapes::scale)
        .view(ViewRules.scaleByOne())
        .inPlace(SINCE_1_8_GENERATED);
  }

  private static void addPredicatesAndComplexNumbers(CatalogBuilder catalog) {
    catalog.addAll("isfinite_v2", "isinf_v2", "isnan_v2");
    catalog.add("isnan").shape(ReductionShapes::scalar);
    catalog.add("isinf").shape(ReductionShapes::scalar);
    catalog.add("isfinite").shape(ReductionShapes::scalar);
    catalog.add("as_real").shape(WindowShapes::asReal);
    catalog.add("as_complex").shape(WindowShapes::asComplex);
    catalog.addAllWithGradients("angle");
    catalog.add("complex").shape(ElementwiseShapes::broadcast).withGradient();
    catalog.add("conj").inPlace("2.2");
    catalog.add("imag").inPlace("2.2").withGradient().inPlace("2.2");
    catalog.add("real").inPlace("2.2").withGradient().inPlace("2.2");
  }
}
