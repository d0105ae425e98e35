package dev.sublet.operator.paddle.shape;

import static dev.sublet.operator.spec.InPlaceVersions.GENERATED_ONLY;
import static dev.sublet.operator.spec.InPlaceVersions.SINCE_2_2_GENERATED;

import dev.sublet.operator.infer.ElementwiseShapes;
import dev.sublet.operator.spec.CatalogBuilder;

/**
 * Catalog entries for operators that create a tensor from attributes, sizes or a random generator.
 */
public final class CreationOperators {

  private CreationOperators() {}

  /** Adds the entries. */
  public static void addTo(CatalogBuilder catalog) {
    addConstants(catalog);
    addRandom(catalog);
  }

  // The operator empty does not write the elements of its output: the old ones remain.
  private static void addConstants(CatalogBuilder catalog) {
    catalog.add("fill").shape(CreationShapes::ofShape);
    catalog.add("fill_zeros_like").shape(CreationShapes::fillLike);
    catalog.add("fill_any_like").shape(CreationShapes::fillLike);
    catalog.add("assign_value").shape(CreationShapes::assignValue).clearsLod();
    catalog.add("eye").shape(CreationShapes::eye).clearsLod();
    catalog
        .add("fill_any")
        .shape(ElementwiseShapes::likeX)
        .inPlace(SINCE_2_2_GENERATED)
        .withGradient()
        .inPlace(SINCE_2_2_GENERATED);
    catalog.add("fill_constant").shape(CreationShapes::fillConstant).clearsLod();
    catalog
        .add("fill_constant_batch_size_like")
        .shape(CreationShapes::batchSizeLike)
        .clearsLod()
        .needsOnlyShapeOf("Input");
    catalog.add("fill_zeros_like2").shape(CreationShapes::fillLike).needsOnlyShapeOf("X");
    catalog.add("linspace").shape(CreationShapes::linspace).clearsLod();
    catalog.add("range").shape(CreationShapes::range).clearsLod();
    catalog.add("tril_indices").shape(CreationShapes::triangleIndices).clearsLod();
    catalog.add("triu_indices").shape(CreationShapes::triangleIndices).clearsLod();
    catalog.add("empty").shape(CreationShapes::ofShape).mayWriteAll();
  }

  private static void addRandom(CatalogBuilder catalog) {
    catalog.add("sampling_id").shape(CreationShapes::samplingId);
    catalog.add("multinomial").shape(CreationShapes::multinomial);
    catalog.add("dirichlet").shape(ElementwiseShapes.like("Alpha", "Out"));
    catalog.add("bernoulli").shape(ElementwiseShapes::likeX);
    catalog.add("poisson").shape(ElementwiseShapes::likeX).withGradient();
    catalog
        .add("gumbel_softmax")
        .shape(ElementwiseShapes::likeX)
        .withGradient()
        .replacesLod("X@GRAD");
    catalog
        .add("exponential")
        .shape(ElementwiseShapes::likeX)
        .inPlace("2.3,2.4,yaml")
        .withGradient()
        .inPlace("2.3");
    catalog
        .add("gaussian_inplace")
        .shape(ElementwiseShapes::likeX)
        .inPlace("x", "out", GENERATED_ONLY)
        .withGradient()
        .inPlace(GENERATED_ONLY);
    catalog.add("gaussian_random").shape(CreationShapes::ofShape).clearsLod();
    catalog
        .add("gaussian_random_batch_size_like")
        .shape(CreationShapes::rowsLike)
        .needsOnlyShapeOf("Input");
    catalog.add("randint").shape(CreationShapes::ofShape).clearsLod();
    catalog.add("random_routing").inPlace("TopK_Idx", "Out", "2.3,2.4,2.6,yaml");
    catalog.add("randperm").shape(CreationShapes::permutation).clearsLod();
    catalog.add("seed").shape(CreationShapes::one).clearsLod();
    catalog.add("truncated_gaussian_random").shape(CreationShapes::ofShape).clearsLod();
    catalog.add("uniform_random").shape(CreationShapes::ofShape).clearsLod();
    catalog
        .add("uniform_random_batch_size_like")
        .shape(CreationShapes::batchSizeLike)
        .needsOnlyShapeOf("Input");
    catalog
        .add("uniform_random_inplace")
        .shape(ElementwiseShapes::likeX)
        .inPlace(SINCE_2_2_GENERATED)
        .withGradient()
        .inPlace(SINCE_2_2_GENERATED);
  }
}
