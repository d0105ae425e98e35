package dev.sublet.sharing;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.program.Names;
import dev.sublet.program.TensorType;
import dev.sublet.program.Variable;
import dev.sublet.shape.ShapeInference;
import dev.sublet.shape.ShapeOptions;
import dev.sublet.shape.Sizes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One run that stands for all, so that sharing can compare variables whose sizes differ from run to
 * run.
 *
 * <pre>{@code
 * x: [-1, 3, -1, -1]                 compared as 1 x 3 x 256 x 256
 * words: [-1, 1], with sequences     compared as 256 x 1, one sequence
 * }</pre>
 *
 * <p>Only the choice among groups depends on these sizes. The rewritten program is right for every
 * run.
 *
 * @param shapes the shapes of feeds with open extents
 * @param sizes the sizes of all variables in this run
 */
record TypicalRun(ImmutableMap<String, ImmutableLongArray> shapes, Sizes sizes) {

  /**
   * The assumed value of an open extent that is not the batch. Networks halve extents several
   * times, which a power of two survives.
   */
  private static final long EXTENT = 256;

  /**
   * Finds a typical run: with the given shapes, and {@value #EXTENT} for the open extents of other
   * feeds. A first extent that is open is the batch, or the rows of one sequence. Logs a note about
   * assumed shapes. Empty if no extent is open, or if an operator does not accept assumed extents.
   * Near-linear.
   *
   * @param facts the program, for all runs
   * @param given the shapes of feeds in a typical run, as far as the user gives them
   * @throws ProgramException if the given shapes do not fit the program
   */
  static Optional<TypicalRun> find(ProgramFacts facts, ShapeOptions given, DiagnosticLog log) {
    given.feedShapes().forEach((name, shape) -> checkFeed(facts, name, shape));
    ImmutableMap<String, ImmutableLongArray> assumed = assumed(facts);
    ImmutableMap<String, ImmutableLongArray> shapes =
        ImmutableMap.<String, ImmutableLongArray>builder()
            .putAll(assumed)
            .putAll(given.feedShapes())
            .buildKeepingLast();
    if (shapes.isEmpty()) {
      return Optional.empty();
    }
    boolean isGiven = given.feedShapes().keySet().containsAll(assumed.keySet());
    try {
      TypicalRun run = new TypicalRun(shapes, infer(facts, shapes));
      if (!isGiven) {
        log.note(
            Location.nowhere(),
            "extents are open: names are chosen for "
                + text(shapes)
                + "; say --typical for others");
      }
      return Optional.of(run);
    } catch (ProgramException unfit) {
      if (!given.feedShapes().isEmpty()) {
        throw unfit;
      }
      log.note(
          Location.nowhere(),
          "extents are open, and no assumed ones fit the operators: names are chosen without the"
              + " sizes of "
              + text(shapes)
              + "; say --typical");
      return Optional.empty();
    }
  }

  private static void checkFeed(ProgramFacts facts, String name, ImmutableLongArray shape) {
    int variable = facts.program().declared(0, name);
    String quoted = "'" + Names.display(name) + "'";
    if (variable < 0 || !facts.liveness().observation().isFeed(variable)) {
      throw ProgramException.usage(
          "--typical names " + quoted + ", which is not a feed of the program");
    }
    if (facts.shapes().feedShapes().containsKey(name)) {
      throw ProgramException.usage("--shape and --typical both give " + quoted + " a shape");
    }
    if (facts.shapes().lod().containsKey(name)) {
      throw ProgramException.usage("--lod and --typical both give " + quoted + " a number of rows");
    }
    TensorType type = facts.program().variable(variable).tensorType().orElse(null);
    if (type != null && type.dims().length() != shape.length()) {
      throw ProgramException.usage(
          String.format(
              "--typical gives %s %d extents, but the program declares %d",
              quoted, shape.length(), type.dims().length()));
    }
  }

  private static Sizes infer(ProgramFacts facts, ImmutableMap<String, ImmutableLongArray> typical) {
    ShapeOptions shapes = facts.shapes();
    for (Map.Entry<String, ImmutableLongArray> feed : typical.entrySet()) {
      shapes = shapes.withShape(feed.getKey(), feed.getValue().toArray());
    }
    shapes = shapes.withSingleSequences(facts.program());
    return ShapeInference.infer(facts.program(), facts.catalog(), facts.lod(), shapes);
  }

  /** The assumed shapes of the feeds with open extents, except those of known shape. */
  private static ImmutableMap<String, ImmutableLongArray> assumed(ProgramFacts facts) {
    ImmutableMap.Builder<String, ImmutableLongArray> assumed = ImmutableMap.builder();
    for (Variable variable : facts.program().block(0).variables()) {
      TensorType type = variable.tensorType().orElse(null);
      if (facts.liveness().observation().isFeed(variable.index())
          && !facts.shapes().feedShapes().containsKey(variable.name())
          && !facts.shapes().lod().containsKey(variable.name())
          && type != null
          && (isOpen(type.dims()) || (type.lodLevel() > 0 && type.hasOpenRows()))) {
        long first = type.lodLevel() > 0 ? EXTENT : facts.shapes().batch();
        assumed.put(variable.name(), closed(type.dims(), first));
      }
    }
    return assumed.buildOrThrow();
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

  private static ImmutableLongArray closed(ImmutableLongArray dims, long first) {
    long[] extents = dims.toArray();
    for (int axis = 0; axis < extents.length; axis++) {
      if (extents[axis] < 0) {
        extents[axis] = axis == 0 ? first : EXTENT;
      }
    }
    return ImmutableLongArray.copyOf(extents);
  }

  private static String text(ImmutableMap<String, ImmutableLongArray> shapes) {
    List<String> texts = new ArrayList<>();
    shapes.forEach(
        (name, shape) ->
            texts.add(Names.display(name) + "=" + Joiner.on(',').join(shape.asList())));
    return Joiner.on(' ').join(texts);
  }
}
