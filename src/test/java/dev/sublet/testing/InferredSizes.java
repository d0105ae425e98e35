package dev.sublet.testing;

import dev.sublet.operator.OperatorCatalog;
import dev.sublet.program.Program;
import dev.sublet.shape.LodCarriers;
import dev.sublet.shape.ShapeInference;
import dev.sublet.shape.ShapeOptions;
import dev.sublet.shape.Sizes;

/** The sizes of a test's program, as the standard catalog and the declared feeds give them. */
public final class InferredSizes {

  private InferredSizes() {}

  /** The sizes of all variables. */
  public static Sizes of(Program program) {
    OperatorCatalog catalog = OperatorCatalog.standard();
    LodCarriers lod = LodCarriers.find(program, catalog);
    return ShapeInference.infer(program, catalog, lod, ShapeOptions.defaults());
  }
}
