package dev.sublet.plugin;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.TranspileOptions;
import dev.sublet.codec.request.PlanRequest;
import dev.sublet.codec.request.RequestOptions;
import dev.sublet.codec.request.RequestOptions.RequestedPool;
import dev.sublet.diag.PercentText;
import dev.sublet.diag.ProgramException;
import dev.sublet.liveness.FeedAliasNames;
import dev.sublet.liveness.ObservationOptions;
import dev.sublet.loop.LoopMode;
import dev.sublet.offset.GivenOptions;
import dev.sublet.offset.GivenSearch;
import dev.sublet.offset.OffsetOptions;
import dev.sublet.offset.OptionNames;
import dev.sublet.offset.merge.Views;
import dev.sublet.operator.InPlaceOptions;
import dev.sublet.operator.spec.InPlaceMode;
import dev.sublet.placement.problem.BufferOrder;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.SearchEffort;
import dev.sublet.plan.ExecutionOrder;
import dev.sublet.plan.Pool;
import dev.sublet.program.Names;
import dev.sublet.program.Program;
import dev.sublet.shape.MemorySpaces;
import dev.sublet.shape.ShapeOptions;
import dev.sublet.sharing.SharingOptions;
import dev.sublet.sharing.SharingOptions.FusionMode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The options of a request, with the same defaults as the command line. A wrong option raises a
 * {@link ProgramException} of kind USAGE with the name of the option in {@code plugin.proto}.
 */
final class RequestedOptions {

  private static final ImmutableSet<String> FOR_BUFFERS =
      ImmutableSet.of(
          "planner",
          "alignment",
          "capacity",
          "effort",
          "gap",
          "nodes",
          "timeout_ms",
          "buffer_order");

  private static final ImmutableSet<String> FOR_REWRITING =
      ImmutableSet.of("policy", "level", "fusion", "release", "strip_debug", "typical");

  private final PlanRequest request;
  private final RequestOptions given;
  private final RequestLimits limits;

  RequestedOptions(PlanRequest request, RequestLimits limits) {
    this.request = request;
    this.limits = limits;
    this.given = request.options();
  }

  /** Returns the options for the request's buffers. */
  OffsetOptions ofTable() {
    if (request.rewrite()) {
      throw ProgramException.usage("rewrite is for programs, but the request has buffers");
    }
    for (String name : given.given()) {
      if (!FOR_BUFFERS.contains(name)) {
        throw ProgramException.usage(
            "options." + name + " is for programs, but the request has buffers");
      }
    }
    return offsets(/* defaultAlignment= */ 1, effort().forTables());
  }

  /** Returns the options for the request's program, but for the aliases. */
  TranspileOptions ofProgram() {
    for (String name : given.given()) {
      if (FOR_REWRITING.contains(name) && !request.rewrite()) {
        throw ProgramException.usage("options." + name + " is for requests with rewrite set");
      }
    }
    TranspileOptions defaults = TranspileOptions.defaults();
    FusionMode standard = flag("release") ? FusionMode.OFF : defaults.sharing().fusion();
    FusionMode fusion = choice("fusion", standard, FusionMode.values());
    if (flag("release") && fusion == FusionMode.SAFE) {
      throw ProgramException.usage("options.fusion 'safe' and options.release exclude each other");
    }
    return new TranspileOptions(
        new ShapeOptions(batch(), checked("shapes", given.shapes()), checkedLod()),
        new ObservationOptions(given.fetch(), given.keep(), flag("reuse_feeds")),
        new SharingOptions(
                choice("policy", defaults.sharing().policy(), SharingOptions.Policy.values()),
                choice("level", defaults.sharing().level(), SharingOptions.Level.values()),
                !flag("no_in_place"),
                fusion)
            .withGoal(SharingOptions.Goal.PLAN)
            .withTypical(
                new ShapeOptions(1, checked("typical", given.typical()), ImmutableMap.of())),
        offsets(defaults.offsets().alignment(), effort().forPrograms()),
        choice("place", defaults.target(), MemorySpaces.Target.values()),
        flag("release"),
        flag("strip_debug"),
        flag("strict"),
        choice("loops", defaults.loops(), LoopMode.values()),
        new InPlaceOptions(
            choice("in_place", defaults.inPlace().mode(), InPlaceMode.values()), runtime()));
  }

  /** Returns the result that is one buffer with each feed that the request names. */
  ImmutableMap<String, String> aliases(Program program) {
    List<FeedAliasNames> aliases = new ArrayList<>();
    given
        .alias()
        .forEach(
            (feed, result) -> {
              FeedAliasNames names = new FeedAliasNames(feed, result);
              if (names.fault().isPresent()) {
                throw ProgramException.usage(
                    "options.alias: '"
                        + Names.display(feed + "=" + result)
                        + "' "
                        + names.fault().get());
              }
              aliases.add(names);
            });
    return FeedAliasNames.expand(aliases, program);
  }

  /** Rejects options that change programs, because an ONNX model is planned without changes. */
  void checkForModel() {
    for (String name : given.given()) {
      boolean unrolls = name.equals("loops") && "unroll".equals(given.words().get(name));
      if (FOR_REWRITING.contains(name) || (unrolls && request.rewrite())) {
        throw ProgramException.usage(
            "options."
                + name
                + (unrolls ? " 'unroll'" : "")
                + " is for programs that are rewritten, but the request has an ONNX model, which is"
                + " planned as it is");
      }
    }
  }

  private SearchEffort effort() {
    return choice("effort", SearchEffort.NORMAL, SearchEffort.values());
  }

  private OffsetOptions offsets(long defaultAlignment, PlannerOptions preset) {
    OffsetOptions defaults = OffsetOptions.defaults();
    return new GivenOptions(
            given.words().getOrDefault("planner", defaults.planner()),
            number("alignment", defaultAlignment),
            !flag("no_in_place"),
            choice("order", defaults.order(), ExecutionOrder.values()),
            choice("views", defaults.views(), Views.values()),
            new GivenSearch(
                preset,
                OptionalLong.of(nodes(preset)),
                gap(),
                millis(),
                choice("buffer_order", preset.order(), BufferOrder.values())),
            number("capacity", OffsetOptions.NO_CAPACITY),
            flag("hierarchical"),
            pools())
        .checked(OptionNames.PLUGIN);
  }

  private long nodes(PlannerOptions preset) {
    long nodes = given.nodes().orElse(preset.nodes());
    if (nodes > limits.nodes()) {
      throw ProgramException.usage(
          (given.nodes().isPresent()
                  ? "options.nodes is "
                  : "options.effort '" + given.words().get("effort") + "' allows a search ")
              + nodes
              + (given.nodes().isPresent() ? "" : " nodes")
              + "; a request may have at most "
              + limits.nodes()
              + " (--max-nodes)");
    }
    return nodes;
  }

  private Optional<BigDecimal> gap() {
    String gap = given.words().get("gap");
    if (gap == null) {
      return Optional.empty();
    }
    Optional<BigDecimal> percent = PercentText.parse(gap);
    if (percent.isEmpty()) {
      throw ProgramException.usage("options.gap: " + PercentText.refusal(gap));
    }
    return percent;
  }

  /** The time limit of a search; if the request sets none, the maximum. */
  private long millis() {
    long millis = number("timeout_ms", 0);
    if (millis > limits.millis()) {
      throw ProgramException.usage(
          "options.timeout_ms is "
              + millis
              + "; a request may have at most "
              + limits.millis()
              + " (--max-time)");
    }
    return millis == 0 ? limits.millis() : millis;
  }

  private ImmutableList<Pool> pools() {
    ImmutableList.Builder<Pool> pools = ImmutableList.builder();
    for (int i = 0; i < given.pools().size(); i++) {
      RequestedPool pool = given.pools().get(i);
      if (pool.name().isEmpty() || pool.capacity() < 0) {
        throw ProgramException.usage(
            "options.pools["
                + i
                + "]: "
                + (pool.name().isEmpty()
                    ? "the name is empty"
                    : "capacity is " + pool.capacity() + "; it must be 0 or more"));
      }
      pools.add(new Pool(pool.name(), pool.capacity() == 0 ? Pool.UNLIMITED : pool.capacity()));
    }
    return pools.build();
  }

  private static ImmutableMap<String, ImmutableLongArray> checked(
      String option, ImmutableMap<String, ImmutableLongArray> shapes) {
    shapes.forEach(
        (name, shape) -> {
          boolean positive = shape.asList().stream().allMatch(extent -> extent >= 1);
          if (shape.isEmpty() || !positive) {
            throw ProgramException.usage(
                "options."
                    + option
                    + " of '"
                    + Names.display(name)
                    + "' is "
                    + shape
                    + "; extents are whole numbers from 1");
          }
        });
    return shapes;
  }

  private ImmutableMap<String, ImmutableList<ImmutableLongArray>> checkedLod() {
    given
        .lod()
        .forEach(
            (name, levels) -> {
              if (levels.isEmpty() || !levels.stream().allMatch(RequestedOptions::isLevel)) {
                throw ProgramException.usage(
                    "options.lod of '"
                        + Names.display(name)
                        + "' is "
                        + levels
                        + "; a level has two offsets or more, which start at 0 and do not fall");
              }
            });
    return given.lod();
  }

  private static boolean isLevel(ImmutableLongArray level) {
    boolean rises = level.length() >= 2 && level.get(0) == 0;
    for (int i = 1; i < level.length(); i++) {
      rises &= level.get(i - 1) <= level.get(i);
    }
    return rises;
  }

  private boolean flag(String name) {
    return given.flags().contains(name);
  }

  private long number(String name, long otherwise) {
    return given.numbers().getOrDefault(name, otherwise);
  }

  private long runtime() {
    long runtime = number("runtime", 0);
    if (runtime < 0) {
      throw ProgramException.usage("options.runtime is " + runtime + "; it must be 0 or more");
    }
    return runtime;
  }

  private long batch() {
    long batch = number("batch", 1);
    if (batch < 1) {
      throw ProgramException.usage("options.batch is " + batch + "; it must be 1 or more");
    }
    return batch;
  }

  private <E extends Enum<E>> E choice(String name, E otherwise, E[] choices) {
    String word = given.words().get(name);
    if (word == null) {
      return otherwise;
    }
    List<String> words = new ArrayList<>();
    for (E choice : choices) {
      if (Ascii.toLowerCase(choice.name()).equals(word)) {
        return choice;
      }
      words.add(Ascii.toLowerCase(choice.name()));
    }
    throw unknown(name, word, words);
  }

  private static ProgramException unknown(String name, String word, List<String> words) {
    return ProgramException.usage(
        "options." + name + " is '" + word + "', which is none of " + String.join(", ", words));
  }
}
