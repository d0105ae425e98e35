package dev.sublet.operator.paddle.reduction;

import static dev.sublet.operator.spec.InPlaceVersions.GENERATED_ONLY;

import dev.sublet.operator.infer.ElementwiseShapes;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.operator.spec.CatalogBuilder;
import dev.sublet.operator.spec.InPlaceCondition;

/**
 * Catalog entries for reductions, scans, and sorting.
 *
 * <p>Reductions pass LoD on: Paddle drops it only if the first axis is removed.
 */
public final class ReductionOperators {

  private ReductionOperators() {}

  /** Adds the entries. */
  public static void addTo(CatalogBuilder catalog) {
    addReductions(catalog);
    addScansAndOrder(catalog);
  }

  private static void addReductions(CatalogBuilder catalog) {
    catalog.add("reduce_any").shape(ReductionShapes.fold(SymbolicExtent::max));
    catalog.add("reduce_all").shape(ReductionShapes.fold(SymbolicExtent::min));
    catalog.add("norm").shape(ReductionShapes::norm).withGradient();
    catalog.add("p_norm").shape(ReductionShapes::pNorm).withGradient().replacesLod("X@GRAD");
    catalog.add("logsumexp").shape(ReductionShapes::reduce).withGradient();
    catalog
        .add("frobenius_norm")
        .shape(ReductionShapes::reduce)
        .withGradient()
        .replacesLod("X@GRAD");
    catalog.add("reduce_amin").shape(ReductionShapes::reduce).withGradient().replacesLod("X@GRAD");
    catalog.add("reduce_amax").shape(ReductionShapes::reduce).withGradient().replacesLod("X@GRAD");
    catalog
        .add("reduce_min")
        .shape(ReductionShapes.fold(SymbolicExtent::min))
        .withGradient()
        .replacesLod("X@GRAD");
    catalog
        .add("reduce_max")
        .shape(ReductionShapes.fold(SymbolicExtent::max))
        .withGradient()
        .replacesLod("X@GRAD");
    catalog
        .add("reduce_prod")
        .shape(ReductionShapes.fold(SymbolicExtent::times))
        .withGradient()
        .replacesLod("X@GRAD");
    catalog.add("l1_norm").shape(ReductionShapes::scalar).inPlace(GENERATED_ONLY).withGradient();
    catalog
        .add("mean")
        .shape(ReductionShapes::scalar)
        .clearsLod()
        .withGradient()
        .replacesLod("X@GRAD")
        .needsOnlyShapeOf("X");
    catalog
        .add("reduce_mean")
        .shape(ReductionShapes::reduce)
        .withGradient()
        .replacesLod("X@GRAD")
        .needsOnlyShapeOf("X");
    catalog
        .add("reduce_sum")
        .shape(ReductionShapes.fold(SymbolicExtent::plus))
        .withGradient()
        .replacesLod("X@GRAD")
        .needsOnlyShapeOf("X");
    catalog
        .add("squared_l2_distance")
        .shape(ReductionShapes::squaredDistance)
        .withGradient()
        .needsOnlyShapeOf("X", "Y");
    catalog.add("squared_l2_norm").shape(ReductionShapes::scalar).clearsLod().withGradient();
  }

  private static void addScansAndOrder(CatalogBuilder catalog) {
    catalog.add("searchsorted").shape(ElementwiseShapes.like("Values", "Out"));
    catalog.add("histogram").shape(ReductionShapes::histogram);
    catalog.add("bincount");
    catalog.addAllWithGradients("nanmedian");
    catalog.add("logcumsumexp").shape(ElementwiseShapes::likeX).withGradient();
    catalog.add("multiplex").shape(ElementwiseShapes::likeX).withGradient();
    catalog.add("top_k_v2").shape(ReductionShapes::topK).withGradient();
    catalog.add("top_k").shape(ReductionShapes::topK).withGradient();
    catalog.add("mode").shape(ReductionShapes::select).withGradient();
    catalog.add("kthvalue").shape(ReductionShapes::select).withGradient();
    catalog.add("cummin").shape(ReductionShapes::sort).withGradient();
    catalog.add("cummax").shape(ReductionShapes::sort).withGradient();
    catalog.add("arg_max").shape(ReductionShapes::search).clearsLod();
    catalog.add("arg_min").shape(ReductionShapes::search).clearsLod();
    catalog.add("argsort").shape(ReductionShapes::sort).withGradient().needsOnlyShapeOf("X");
    catalog
        .add("cumprod")
        .shape(ReductionShapes::scan)
        .inPlace(GENERATED_ONLY)
        .withGradient()
        .replacesLod("X@GRAD");
    catalog
        .add("cumsum")
        .shape(ReductionShapes::scan)
        .inPlace(GENERATED_ONLY)
        .when(InPlaceCondition.unless("exclusive"));
  }
}
