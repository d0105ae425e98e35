package dev.sublet.operator.paddle.product;

import static dev.sublet.operator.spec.InPlaceVersions.GENERATED_ONLY;

import dev.sublet.operator.infer.ElementwiseShapes;
import dev.sublet.operator.infer.GradientShapes;
import dev.sublet.operator.infer.ShapeRule;
import dev.sublet.operator.spec.CatalogBuilder;
import dev.sublet.operator.spec.InPlaceCondition;
import dev.sublet.operator.spec.OperatorEntry;

/**
 * Catalog entries for matrix products, decompositions, and signal transforms.
 *
 * <p>Decompositions may skip an output that their attributes do not request.
 */
public final class LinearAlgebraOperators {

  private LinearAlgebraOperators() {}

  /** Adds the entries. */
  public static void addTo(CatalogBuilder catalog) {
    addProducts(catalog);
    addDecompositions(catalog);
    addTransforms(catalog);
  }

  private static void addProducts(CatalogBuilder catalog) {
    catalog.addAll("matmul_v2_triple_grad");
    catalog
        .add("bilinear_tensor_product")
        .shape(ProductShapes::bilinear)
        .withGradient()
        .shape(ProductShapes::bilinearGradient);
    catalog.add("bmm").shape(ProductShapes::bmm).keepsIfEmpty("Out").withGradient();
    catalog.add("conv_shift").shape(ElementwiseShapes::likeX).withGradient();
    catalog.add("cos_sim").shape(ProductShapes::cosine).withGradient();
    catalog.add("cross").shape(ElementwiseShapes::likeX).withGradient();
    catalog.add("dist").shape(LayerShapes::single).withGradient();
    catalog.add("dot").shape(ProductShapes::dot).withGradient().replacesLod("X@GRAD", "Y@GRAD");
    catalog.add("fsp").shape(ProductShapes::fsp).withGradient();
    catalog.add("kron").shape(ProductShapes::kron).withGradient();
    catalog.add("multi_dot").shape(ProductShapes::multiDot).withGradient().replacesLod("X@GRAD");
    catalog
        .add("mv")
        .shape(ProductShapes::mv)
        .keepsIfEmpty("Out")
        .withGradient()
        .keepsIfEmpty("Vec@GRAD");
    catalog
        .add("addmm")
        .shape(ProductShapes::addmm)
        .inPlace("Input", "Out", GENERATED_ONLY)
        .withGradient()
        .replacesLod("Input@GRAD", "X@GRAD", "Y@GRAD");
    catalog
        .add("einsum")
        .shape(ProductShapes::einsum)
        .mayWrite("InnerCache", "XShape")
        .withGradient();
    addWithTwoGradients(catalog, "matmul", ProductShapes::matmul);
    addWithTwoGradients(catalog, "matmul_v2", ProductShapes::matmulV2);
    addWithTwoGradients(catalog, "mul", ProductShapes::mul);
  }

  private static void addWithTwoGradients(CatalogBuilder catalog, String type, ShapeRule rule) {
    OperatorEntry gradient =
        catalog.add(type).shape(rule).passesLodOf("X").replacesLod("Out").withGradient();
    if (type.equals("matmul")) {
      gradient.clearsLod();
    } else {
      gradient.replacesLod("X@GRAD", "Y@GRAD");
    }
    gradient
        .withGradient()
        .shape(GradientShapes::likeSecond)
        // The kernel writes DX and DY only together with DDY and DDX.
        .mayWrite("DX", "DY");
  }

  private static void addDecompositions(CatalogBuilder catalog) {
    catalog.add("eigvals").shape(DecompositionShapes.eigenvalues("Out"));
    catalog.add("matrix_rank").shape(DecompositionShapes::rank);
    catalog.add("cholesky").shape(ElementwiseShapes::likeX).withGradient();
    catalog.add("cholesky_solve").shape(DecompositionShapes.solution("Y", "X")).withGradient();
    catalog
        .add("determinant")
        .shape(DecompositionShapes.numbers("Input", "Out"))
        .withGradient()
        .shape(DecompositionShapes::determinantGradient)
        .replacesLod("Input@GRAD");
    addEigenvectors(catalog, "eig");
    addEigenvectors(catalog, "eigh");
    catalog
        .add("inverse")
        .shape(ElementwiseShapes.like("Input", "Output"))
        .withGradient()
        .shape(ElementwiseShapes.like("Output", "Input@GRAD"));
    catalog.add("matrix_power").shape(ElementwiseShapes::likeX).withGradient();
    catalog.add("slogdeterminant").shape(DecompositionShapes::signAndLogarithm).withGradient();
    catalog.add("solve").shape(DecompositionShapes::solve).withGradient();
    catalog.add("svd").shape(DecompositionShapes::singularValues).withGradient();
    catalog
        .add("triangular_solve")
        .shape(DecompositionShapes.solution("X", "Y"))
        .withGradient()
        // X@GRAD comes from uninitialized memory if Y@GRAD is not requested.
        .mayWrite("X@GRAD");
    catalog
        .add("diagonal")
        .shape(DecompositionShapes::diagonal)
        .withGradient()
        .needsOnlyShapeOf("Input");
    catalog
        .add("eigvalsh")
        .shape(DecompositionShapes::eigenvectors)
        .mayWrite("Eigenvectors")
        .withGradient()
        .shape(ElementwiseShapes.like("Eigenvectors", "X@GRAD"));
    catalog
        .add("lstsq")
        .shape(DecompositionShapes::leastSquares)
        .mayWrite("Rank", "SingularValues");
    catalog
        .add("lu")
        .shape(DecompositionShapes::lu)
        .mayWrite("Pivots")
        .inPlace("2.3,yaml")
        .withGradient()
        .inPlace("2.3,yaml")
        .when(InPlaceCondition.never("takes another buffer"));
    catalog
        .add("lu_unpack")
        .shape(DecompositionShapes::luUnpack)
        .mayWrite("Pmat", "L", "U")
        .withGradient();
    catalog.add("qr").shape(DecompositionShapes::qr).mayWrite("Q").withGradient();
    catalog.add("trace").shape(DecompositionShapes::trace).withGradient().needsOnlyShapeOf("Input");
  }

  private static void addEigenvectors(CatalogBuilder catalog, String type) {
    catalog
        .add(type)
        .shape(DecompositionShapes::eigenvectors)
        .withGradient()
        .shape(ElementwiseShapes.like("Eigenvectors", "X@GRAD"));
  }

  private static void addTransforms(CatalogBuilder catalog) {
    catalog.add("fft_c2c").shape(ElementwiseShapes::likeX).withGradient();
    // Paddle leaves the output of fft_r2c as it was if the transform has no element. No run has
    // judged fft_c2r, which takes complex tensors; the same is assumed, because it is the safe
    // side.
    catalog
        .add("fft_c2r")
        .shape(SignalShapes::toReal)
        .keepsIfEmpty("Out")
        .withGradient()
        .shape(SignalShapes::toRealGradient)
        .keepsIfEmpty("X@GRAD");
    catalog.add("fft_r2c").shape(SignalShapes::fromReal).keepsIfEmpty("Out").withGradient();
    catalog.add("frame").shape(SignalShapes::frame).withGradient();
    catalog.add("overlap_add").shape(SignalShapes::overlapAdd).withGradient();
    catalog.add("stft").shape(SignalShapes::shortTime).withGradient();
  }
}
