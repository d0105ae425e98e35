package dev.sublet;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.analysis.AnalysisOptions;
import dev.sublet.liveness.ObservationOptions;
import dev.sublet.loop.LoopMode;
import dev.sublet.offset.OffsetOptions;
import dev.sublet.operator.InPlaceOptions;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.plan.Feed;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.shape.MemorySpaces;
import dev.sublet.shape.ShapeOptions;
import dev.sublet.sharing.SharingOptions;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The options of a run, grouped by the stage that obeys them.
 *
 * @param shapes the shapes of the feeds, as far as they are known
 * @param observation the variables that must be unchanged at the end
 * @param sharing how names are shared
 * @param offsets how offsets are planned
 * @param target the device that the program runs on
 * @param release whether {@code delete_var} operators are inserted after last uses
 * @param stripDebug whether {@code op_callstack} attributes are dropped
 * @param strict whether an operator that the catalog does not know is an error
 * @param loops the treatment of loop-carried copies
 * @param inPlace which outputs may be computed in the memory of inputs
 */
public record TranspileOptions(
    ShapeOptions shapes,
    ObservationOptions observation,
    SharingOptions sharing,
    OffsetOptions offsets,
    MemorySpaces.Target target,
    boolean release,
    boolean stripDebug,
    boolean strict,
    LoopMode loops,
    InPlaceOptions inPlace) {

  public TranspileOptions {
    requireNonNull(shapes, "shapes");
    requireNonNull(observation, "observation");
    requireNonNull(sharing, "sharing");
    requireNonNull(offsets, "offsets");
    requireNonNull(target, "target");
    requireNonNull(loops, "loops");
    requireNonNull(inPlace, "inPlace");
  }

  /**
   * Returns the default options: batch 1, on the CPU, best policy, in place, 64-byte alignment.
   *
   * @return the options of a command line without any options
   */
  public static TranspileOptions defaults() {
    return new TranspileOptions(
        ShapeOptions.defaults(),
        ObservationOptions.defaults(),
        SharingOptions.defaults(),
        OffsetOptions.defaults(),
        MemorySpaces.Target.CPU,
        /* release= */ false,
        /* stripDebug= */ false,
        /* strict= */ false,
        LoopMode.MULTIVIEW,
        InPlaceOptions.defaults());
  }

  /**
   * The same options with other shapes.
   *
   * @param newShapes the shapes of the feeds, as far as they are known
   * @return new options
   */
  public TranspileOptions withShapes(ShapeOptions newShapes) {
    return new TranspileOptions(
        newShapes,
        observation,
        sharing,
        offsets,
        target,
        release,
        stripDebug,
        strict,
        loops,
        inPlace);
  }

  /**
   * The same options for the batch and the feeds that a plan was made for.
   *
   * @param plan the plan, of any origin
   * @return new options
   */
  public TranspileOptions withShapesOf(MemoryPlan plan) {
    ImmutableMap.Builder<String, ImmutableLongArray> extents = ImmutableMap.builder();
    ImmutableMap.Builder<String, ImmutableList<ImmutableLongArray>> lod = ImmutableMap.builder();
    ImmutableMap.Builder<String, ImmutableLongArray> values = ImmutableMap.builder();
    for (Feed feed : plan.feeds()) {
      feed.extents().ifPresent(all -> extents.put(feed.name(), all));
      if (!feed.sequences().isEmpty()) {
        lod.put(feed.name(), feed.sequences());
      }
      if (!feed.values().isEmpty()) {
        values.put(feed.name(), feed.values());
      }
    }
    return withShapes(
        new ShapeOptions(
            Math.max(1, plan.batch()),
            extents.buildOrThrow(),
            lod.buildOrThrow(),
            values.buildOrThrow()));
  }

  /** The feeds that these options give a shape, sequences or a value, ordered by name. */
  ImmutableList<Feed> feeds() {
    TreeSet<String> names = new TreeSet<>(shapes.feedShapes().keySet());
    names.addAll(shapes.lod().keySet());
    names.addAll(shapes.values().keySet());
    ImmutableList.Builder<Feed> feeds = ImmutableList.builder();
    for (String name : names) {
      feeds.add(
          new Feed(
              name,
              Optional.ofNullable(shapes.feedShapes().get(name)),
              shapes.lod().getOrDefault(name, ImmutableList.of()),
              shapes.values().getOrDefault(name, ImmutableLongArray.of())));
    }
    return feeds.build();
  }

  /**
   * The same options with other observed variables.
   *
   * @param newObservation the variables that must be unchanged at the end
   * @return new options
   */
  public TranspileOptions withObservation(ObservationOptions newObservation) {
    return new TranspileOptions(
        shapes,
        newObservation,
        sharing,
        offsets,
        target,
        release,
        stripDebug,
        strict,
        loops,
        inPlace);
  }

  /**
   * Whether the rewritten program must run right under graph passes. With {@code delete_var}
   * operators it cannot: they read what the passes look for.
   */
  public boolean isForGraphPasses() {
    return sharing.fusion() == SharingOptions.FusionMode.SAFE && !release;
  }

  /**
   * The same options with another policy for sharing names.
   *
   * @param newSharing how names are shared
   * @return new options
   */
  public TranspileOptions withSharing(SharingOptions newSharing) {
    return new TranspileOptions(
        shapes,
        observation,
        newSharing,
        offsets,
        target,
        release,
        stripDebug,
        strict,
        loops,
        inPlace);
  }

  /** The same options for a plan that nothing searches, see {@link OffsetOptions#drafting}. */
  TranspileOptions drafting() {
    return withOffsets(offsets.drafting());
  }

  /**
   * The same options with another planner of offsets.
   *
   * @param newOffsets how offsets are planned
   * @return new options
   */
  public TranspileOptions withOffsets(OffsetOptions newOffsets) {
    return new TranspileOptions(
        shapes,
        observation,
        sharing,
        newOffsets,
        target,
        release,
        stripDebug,
        strict,
        loops,
        inPlace);
  }

  /**
   * The same options for another target.
   *
   * @param newTarget the device that the program runs on
   * @return new options
   */
  public TranspileOptions withTarget(MemorySpaces.Target newTarget) {
    return new TranspileOptions(
        shapes,
        observation,
        sharing,
        offsets,
        newTarget,
        release,
        stripDebug,
        strict,
        loops,
        inPlace);
  }

  /**
   * The same options, with or without {@code delete_var} operators.
   *
   * @param newRelease whether {@code delete_var} operators are inserted after last uses
   * @return new options
   */
  public TranspileOptions withRelease(boolean newRelease) {
    return new TranspileOptions(
        shapes,
        observation,
        sharing,
        offsets,
        target,
        newRelease,
        stripDebug,
        strict,
        loops,
        inPlace);
  }

  /**
   * The same options, with or without {@code op_callstack} attributes in the result.
   *
   * @param newStripDebug whether the attributes are dropped
   * @return new options
   */
  public TranspileOptions withStripDebug(boolean newStripDebug) {
    return new TranspileOptions(
        shapes,
        observation,
        sharing,
        offsets,
        target,
        release,
        newStripDebug,
        strict,
        loops,
        inPlace);
  }

  /**
   * The same options with another treatment of unknown operators.
   *
   * @param newStrict whether an unknown operator is an error
   * @return new options
   */
  public TranspileOptions withStrict(boolean newStrict) {
    return new TranspileOptions(
        shapes,
        observation,
        sharing,
        offsets,
        target,
        release,
        stripDebug,
        newStrict,
        loops,
        inPlace);
  }

  /**
   * The same options with another mode for loops.
   *
   * @param newLoops the treatment of loop-carried copies
   * @return new options
   */
  public TranspileOptions withLoops(LoopMode newLoops) {
    return new TranspileOptions(
        shapes,
        observation,
        sharing,
        offsets,
        target,
        release,
        stripDebug,
        strict,
        newLoops,
        inPlace);
  }

  /**
   * The same options with other in-place pairs.
   *
   * @param newInPlace which outputs may be computed in the memory of inputs
   * @return new options
   */
  public TranspileOptions withInPlace(InPlaceOptions newInPlace) {
    return new TranspileOptions(
        shapes,
        observation,
        sharing,
        offsets,
        target,
        release,
        stripDebug,
        strict,
        loops,
        newInPlace);
  }

  /** The assumptions of an analysis. */
  public AnalysisOptions analysis() {
    return new AnalysisOptions(catalog(), shapes, observation, target, strict);
  }

  /** The catalog of operators, with the in-place pairs that these options allow. */
  OperatorCatalog catalog() {
    return inPlace.catalog();
  }
}
