package dev.sublet.analysis;

import static java.util.Objects.requireNonNull;

import dev.sublet.liveness.ObservationOptions;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.shape.MemorySpaces;
import dev.sublet.shape.ShapeOptions;

/**
 * The assumptions of an analysis.
 *
 * @param catalog the operators, with the in-place pairs that may be taken
 * @param shapes the shapes of the feeds
 * @param observation the variables that are read after the program has run
 * @param target the device that the program runs on
 * @param strict whether an operator that the catalog does not know is an error
 */
public record AnalysisOptions(
    OperatorCatalog catalog,
    ShapeOptions shapes,
    ObservationOptions observation,
    MemorySpaces.Target target,
    boolean strict) {

  public AnalysisOptions {
    requireNonNull(catalog, "catalog");
    requireNonNull(shapes, "shapes");
    requireNonNull(observation, "observation");
    requireNonNull(target, "target");
  }

  /** The same options with other observed variables. */
  public AnalysisOptions withObservation(ObservationOptions newObservation) {
    return new AnalysisOptions(catalog, shapes, newObservation, target, strict);
  }
}
