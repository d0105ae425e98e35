package dev.sublet.testing;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.sublet.TranspileOptions;
import dev.sublet.liveness.ObservationOptions;
import dev.sublet.loop.LoopMode;
import dev.sublet.offset.OffsetOptions;
import dev.sublet.offset.merge.Views;
import dev.sublet.placement.problem.BufferOrder;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.plan.ExecutionOrder;
import dev.sublet.shape.ShapeOptions;
import dev.sublet.sharing.SharingOptions;
import dev.sublet.sharing.SharingOptions.FusionMode;
import dev.sublet.sharing.SharingOptions.Goal;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * The options of one trial of a random program, with a text form in which it can be repeated:
 * {@code policy=pool level=fit in_place=true planner=best align=16 views=reshape loops=copy
 * order=sequential hierarchical=false reuse_feeds=false nodes=300}. What the text does not name is
 * as the command line has it.
 *
 * @param sharing how names are shared; its in-place switch is that of the offsets, too
 * @param planner the planner's name
 * @param alignment what offsets are multiples of
 * @param nodes what a search may spend
 */
public record TrialOptions(
    SharingOptions sharing,
    String planner,
    long alignment,
    Views views,
    LoopMode loops,
    ExecutionOrder order,
    boolean hierarchical,
    boolean reuseFeeds,
    long nodes) {

  private static final ImmutableList<String> PLANNERS =
      ImmutableList.of("best", "best", "best", "greedy-size", "best-fit", "nnc", "path-cover");
  private static final ImmutableList<Long> ALIGNMENTS =
      ImmutableList.of(1L, 4L, 16L, 32L, 64L, 64L, 256L);

  public TrialOptions {
    requireNonNull(sharing, "sharing");
    requireNonNull(planner, "planner");
    requireNonNull(views, "views");
    requireNonNull(loops, "loops");
    requireNonNull(order, "order");
  }

  /** Those of the command line. */
  public static TrialOptions defaults() {
    return parse("");
  }

  /** Any options; the same ones for the same state of the generator. */
  public static TrialOptions random(SplittableRandom random) {
    boolean parallel = random.nextInt(6) == 0;
    return new TrialOptions(
        new SharingOptions(
            pick(SharingOptions.Policy.values(), random),
            pick(SharingOptions.Level.values(), random),
            /* inPlace= */ random.nextInt(4) > 0,
            FusionMode.SAFE,
            pick(Goal.values(), random),
            ShapeOptions.defaults()),
        PLANNERS.get(random.nextInt(PLANNERS.size())),
        ALIGNMENTS.get(random.nextInt(ALIGNMENTS.size())),
        pick(Views.values(), random),
        pick(LoopMode.values(), random),
        parallel ? ExecutionOrder.PARALLEL : ExecutionOrder.SEQUENTIAL,
        /* hierarchical= */ !parallel && random.nextInt(8) == 0,
        /* reuseFeeds= */ random.nextInt(3) == 0,
        /* nodes= */ 300);
  }

  private static <T> T pick(T[] values, SplittableRandom random) {
    return values[random.nextInt(values.length)];
  }

  /**
   * Reads what {@link #toString} writes, or a part of it.
   *
   * @throws IllegalArgumentException if a word is no option
   */
  public static TrialOptions parse(String text) {
    Map<String, String> words = new LinkedHashMap<>();
    for (String word : Splitter.on(' ').omitEmptyStrings().split(text)) {
      int equals = word.indexOf('=');
      checkArgument(equals > 0, "%s is not NAME=VALUE", word);
      words.put(word.substring(0, equals), word.substring(equals + 1));
    }
    TrialOptions options =
        new TrialOptions(
            new SharingOptions(
                choice(SharingOptions.Policy.class, words, "policy", "best"),
                choice(SharingOptions.Level.class, words, "level", "fit"),
                Boolean.parseBoolean(take(words, "in_place", "true")),
                FusionMode.SAFE,
                choice(Goal.class, words, "goal", "names"),
                ShapeOptions.defaults()),
            take(words, "planner", "best"),
            Long.parseLong(take(words, "align", "64")),
            choice(Views.class, words, "views", "reshape"),
            choice(LoopMode.class, words, "loops", "multiview"),
            choice(ExecutionOrder.class, words, "order", "sequential"),
            Boolean.parseBoolean(take(words, "hierarchical", "false")),
            Boolean.parseBoolean(take(words, "reuse_feeds", "false")),
            Long.parseLong(take(words, "nodes", "300")));
    checkArgument(words.isEmpty(), "unknown options %s", words);
    return options;
  }

  private static String take(Map<String, String> words, String name, String otherwise) {
    String value = words.remove(name);
    return value == null ? otherwise : value;
  }

  private static <E extends Enum<E>> E choice(
      Class<E> type, Map<String, String> words, String name, String otherwise) {
    return Enum.valueOf(type, take(words, name, otherwise).toUpperCase(Locale.ROOT));
  }

  /** What a transpiler is told. */
  public TranspileOptions toTranspileOptions() {
    OffsetOptions offsets =
        new OffsetOptions(planner, alignment, sharing.inPlace(), views)
            .withOrder(order)
            .withHierarchical(hierarchical)
            .withSearch(new PlannerOptions(nodes, /* timeoutMillis= */ 0, BufferOrder.SIZE));
    return TranspileOptions.defaults()
        .withSharing(sharing)
        .withOffsets(offsets)
        .withLoops(loops)
        .withObservation(new ObservationOptions(ImmutableSet.of(), ImmutableSet.of(), reuseFeeds));
  }

  @Override
  public String toString() {
    return String.format(
            "policy=%s level=%s in_place=%s goal=%s planner=%s align=%d views=%s loops=%s order=%s"
                + " hierarchical=%s reuse_feeds=%s nodes=%d",
            sharing.policy(),
            sharing.level(),
            sharing.inPlace(),
            sharing.goal(),
            planner,
            alignment,
            views,
            loops,
            order,
            hierarchical,
            reuseFeeds,
            nodes)
        .toLowerCase(Locale.ROOT);
  }
}
