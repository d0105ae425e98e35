package dev.sublet.sharing;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.diag.ProgramException;
import dev.sublet.liveness.Observation;
import dev.sublet.program.Names;
import dev.sublet.program.TensorType;
import dev.sublet.program.Variable;
import dev.sublet.shape.ShapeInference;
import dev.sublet.shape.ShapeOptions;
import dev.sublet.shape.Sizes;
import java.util.Optional;

/**
 * The sizes of one run that stands for all, so that sharing can compare variables whose sizes
 * differ from run to run.
 *
 * <pre>{@code
 * x: [-1, 3, -1, -1]      compared as 1 x 3 x 256 x 256
 * }</pre>
 *
 * <p>Only the choice among groups depends on these sizes. The rewritten program is right for every
 * run.
 */
final class TypicalSizes {

  /** The assumed value of an open extent that is not the first: a power of two halves often. */
  private static final long EXTENT = 256;

  private TypicalSizes() {}

  /**
   * Infers the sizes of a typical run: with the given shapes, and {@value #EXTENT} for the open
   * extents of other feeds. A first extent that is open is the batch. Empty if no extent is open,
   * or if the operators do not accept assumed extents. Near-linear.
   *
   * @param facts of the program for all runs
   * @param given the shapes of feeds in a typical run, as far as the user gives them
   * @throws ProgramException if the given shapes do not fit the program
   */
  static Optional<Sizes> find(ProgramFacts facts, ShapeOptions given) {
    checkFeeds(facts, given);
    ShapeOptions assumed = assumed(facts, given);
    if (assumed.equals(facts.shapes())) {
      return Optional.empty();
    }
    if (!given.feedShapes().isEmpty()) {
      return Optional.of(infer(facts, assumed));
    }
    try {
      return Optional.of(infer(facts, assumed));
    } catch (ProgramException unfit) {
      return Optional.empty();
    }
  }

  private static void checkFeeds(ProgramFacts facts, ShapeOptions given) {
    for (String name : given.feedShapes().keySet()) {
      int variable = facts.program().declared(0, name);
      if (variable < 0 || !facts.liveness().observation().isFeed(variable)) {
        throw ProgramException.usage(
            "--typical names '" + Names.display(name) + "', which is not a feed of the program");
      }
    }
  }

  private static Sizes infer(ProgramFacts facts, ShapeOptions shapes) {
    return ShapeInference.infer(facts.program(), facts.catalog(), facts.lod(), shapes);
  }

  private static ShapeOptions assumed(ProgramFacts facts, ShapeOptions given) {
    ShapeOptions assumed = facts.shapes();
    Observation observation = facts.liveness().observation();
    for (Variable variable : facts.program().block(0).variables()) {
      String name = variable.name();
      if (!observation.isFeed(variable.index()) || assumed.feedShapes().containsKey(name)) {
        continue;
      }
      ImmutableLongArray shape = given.feedShapes().get(name);
      TensorType type = variable.tensorType().orElse(null);
      if (shape != null) {
        assumed = assumed.withShape(name, shape.toArray());
      } else if (type != null && type.lodLevel() == 0 && isOpen(type.dims())) {
        assumed = assumed.withShape(name, closed(type.dims(), facts.shapes().batch()));
      }
    }
    return assumed;
  }

  /** Whether an extent other than the first is open, so that the declaration states no size. */
  static boolean isOpen(ImmutableLongArray dims) {
    for (int axis = 1; axis < dims.length(); axis++) {
      if (dims.get(axis) < 0) {
        return true;
      }
    }
    return false;
  }

  private static long[] closed(ImmutableLongArray dims, long batch) {
    long[] extents = dims.toArray();
    for (int axis = 0; axis < extents.length; axis++) {
      if (extents[axis] < 0) {
        extents[axis] = axis == 0 ? batch : EXTENT;
      }
    }
    return extents;
  }
}
