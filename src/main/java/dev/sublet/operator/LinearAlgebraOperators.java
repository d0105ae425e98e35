package dev.sublet.operator;

import static dev.sublet.operator.InPlaceVersions.GENERATED_ONLY;

/**
 * Matrix products, decompositions and signal transforms.
 *
 * <p>Decompositions may skip an output that their attributes do not ask for.
 */
final class LinearAlgebraOperators {

  private LinearAlgebraOperators() {}

  static void addTo(CatalogBuilder catalog) {
    addProducts(catalog);
    addDecompositions(catalog);
    addTransforms(catalog);
  }

  private static void addProducts(CatalogBuilder catalog) {
    catalog.addAll("matmul_v2_triple_grad");
    catalog.addAllWithGradients(
        "bilinear_tensor_product",
        "bmm",
        "conv_shift",
        "cos_sim",
        "cross",
        "dist",
        "dot",
        "fsp",
        "kron",
        "multi_dot",
        "mv");
    catalog.add("addmm").inPlace("Input", "Out", GENERATED_ONLY).withGradient();
    catalog.add("einsum").mayWrite("InnerCache", "XShape").withGradient();
    catalog.add("matmul").withGradient().withGradient();
    catalog.add("matmul_v2").withGradient().withGradient();
    catalog.add("mul").withGradient().withGradient();
  }

  private static void addDecompositions(CatalogBuilder catalog) {
    catalog.addAll("eigvals", "matrix_rank");
    catalog.addAllWithGradients(
        "cholesky",
        "cholesky_solve",
        "determinant",
        "eig",
        "eigh",
        "inverse",
        "matrix_power",
        "slogdeterminant",
        "solve",
        "svd",
        "triangular_solve");
    catalog.add("diagonal").withGradient().needsOnlyShapeOf("Input");
    catalog.add("eigvalsh").mayWrite("Eigenvectors").withGradient();
    catalog.add("lstsq").mayWrite("Rank", "SingularValues");
    catalog.add("lu").mayWrite("Pivots").inPlace("2.3,yaml").withGradient().inPlace("2.3,yaml");
    catalog.add("lu_unpack").mayWrite("Pmat", "L", "U").withGradient();
    catalog.add("qr").mayWrite("Q").withGradient();
    catalog.add("trace").withGradient().needsOnlyShapeOf("Input");
  }

  private static void addTransforms(CatalogBuilder catalog) {
    catalog.addAllWithGradients("fft_c2c", "fft_c2r", "fft_r2c", "frame", "overlap_add", "stft");
  }
}
