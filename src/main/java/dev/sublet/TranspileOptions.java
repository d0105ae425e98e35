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
 * All that a run can be told. Each part belongs to the stage that obeys it.
 *
 * @param shapes what is known about the feeds' shapes
 * @param observation what must be found unchanged at the end
 * @param sharing how names are shared
 * @param offsets how offsets are planned
 * @param target what the program runs on
 * @param release whether {@code delete_var} operators are put in after last uses
 * @param stripDebug whether {@code op_callstack} attributes are dropped
 * @param strict whether an operator that the catalog does not know is an error
 * @param loops what is done about copies in loops
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
   * Batch 1, on the CPU, best policy, in place, 64-byte alignment.
   *
   * @return the options that the command line has without options
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
   * @param newShapes what is known about the feeds
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
   * @param plan the plan, whoever made it
   * @return new options
   */
  public TranspileOptions withShapesOf(MemoryPlan plan) {
    ImmutableMap.Builder<String, ImmutableLongArray> extents = ImmutableMap.builder();
    ImmutableMap.Builder<String, ImmutableList<ImmutableLongArray>> lod = ImmutableMap.builder();
    for (Feed feed : plan.feeds()) {
      feed.extents().ifPresent(all -> extents.put(feed.name(), all));
      if (!feed.sequences().isEmpty()) {
        lod.put(feed.name(), feed.sequences());
      }
    }
    return withShapes(
        new ShapeOptions(Math.max(1, plan.batch()), extents.buildOrThrow(), lod.buildOrThrow()));
  }

  /** What a plan says of feeds: those that a shape or sequences are given for, by name. */
  ImmutableList<Feed> feeds() {
    TreeSet<String> names = new TreeSet<>(shapes.feedShapes().keySet());
    names.addAll(shapes.lod().keySet());
    ImmutableList.Builder<Feed> feeds = ImmutableList.builder();
    for (String name : names) {
      feeds.add(
          new Feed(
              name,
              Optional.ofNullable(shapes.feedShapes().get(name)),
              shapes.lod().getOrDefault(name, ImmutableList.of())));
    }
    return feeds.build();
  }

  /**
   * The same options with other observed variables.
   *
   * @param newObservation what must be found unchanged
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
   * The same options with another way to share names.
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

  /**
   * The same options with another way to plan offsets.
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
   * @param newTarget what the program runs on
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
   * The same options with {@code delete_var} operators or without.
   *
   * @param newRelease whether they are put in after last uses
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
   * The same options with {@code op_callstack} attributes or without.
   *
   * @param newStripDebug whether they are dropped
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
   * The same options with unknown operators being an error or not.
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
   * The same options with another way with loops.
   *
   * @param newLoops what is done about copies in loops
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

  /** The catalog of operators, with the in-place pairs on that may be taken. */
  OperatorCatalog catalog() {
    return inPlace.catalog();
  }
}
