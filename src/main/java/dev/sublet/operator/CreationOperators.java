package dev.sublet.operator;

import static dev.sublet.operator.InPlaceVersions.GENERATED_ONLY;
import static dev.sublet.operator.InPlaceVersions.SINCE_2_2_GENERATED;

/** Operators that make a tensor from attributes, sizes or a random generator. */
final class CreationOperators {

  private CreationOperators() {}

  static void addTo(CatalogBuilder catalog) {
    addConstants(catalog);
    addRandom(catalog);
  }

  // What empty leaves in its output is whatever was there.
  private static void addConstants(CatalogBuilder catalog) {
    catalog.addAll("fill", "fill_any_like", "fill_zeros_like");
    catalog.add("assign_value").clearsLod();
    catalog.add("eye").clearsLod();
    catalog
        .add("fill_any")
        .inPlace(SINCE_2_2_GENERATED)
        .withGradient()
        .inPlace(SINCE_2_2_GENERATED);
    catalog.add("fill_constant").clearsLod();
    catalog.add("fill_constant_batch_size_like").clearsLod().needsOnlyShapeOf("Input");
    catalog.add("fill_zeros_like2").needsOnlyShapeOf("X");
    catalog.add("linspace").clearsLod();
    catalog.add("range").clearsLod();
    catalog.add("tril_indices").clearsLod();
    catalog.add("triu_indices").clearsLod();
    catalog.add("empty").mayWriteAll();
  }

  private static void addRandom(CatalogBuilder catalog) {
    catalog.addAll("bernoulli", "dirichlet", "multinomial", "sampling_id");
    catalog.addAllWithGradients("gumbel_softmax", "poisson");
    catalog.add("exponential").inPlace("2.3,2.4,yaml").withGradient().inPlace("2.3");
    catalog
        .add("gaussian_inplace")
        .inPlace("x", "out", GENERATED_ONLY)
        .withGradient()
        .inPlace(GENERATED_ONLY);
    catalog.add("gaussian_random").clearsLod();
    catalog.add("gaussian_random_batch_size_like").needsOnlyShapeOf("Input");
    catalog.add("randint").clearsLod();
    catalog.add("random_routing").inPlace("TopK_Idx", "Out", "2.3,2.4,2.6,yaml");
    catalog.add("randperm").clearsLod();
    catalog.add("seed").clearsLod();
    catalog.add("truncated_gaussian_random").clearsLod();
    catalog.add("uniform_random").clearsLod();
    catalog.add("uniform_random_batch_size_like").needsOnlyShapeOf("Input");
    catalog
        .add("uniform_random_inplace")
        .inPlace(SINCE_2_2_GENERATED)
        .withGradient()
        .inPlace(SINCE_2_2_GENERATED);
  }
}
