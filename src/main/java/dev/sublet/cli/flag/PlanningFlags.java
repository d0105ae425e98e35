package dev.sublet.cli.flag;

import com.google.common.collect.ImmutableList;
import dev.sublet.TranspileOptions;
import dev.sublet.cli.argument.ByteSize;
import dev.sublet.cli.argument.Percentage;
import dev.sublet.cli.argument.TimeSpan;
import dev.sublet.cli.argument.WholeNumber;
import dev.sublet.diag.ProgramException;
import dev.sublet.loop.LoopMode;
import dev.sublet.offset.GivenOptions;
import dev.sublet.offset.GivenSearch;
import dev.sublet.offset.OffsetOptions;
import dev.sublet.offset.OptionNames;
import dev.sublet.offset.merge.Views;
import dev.sublet.placement.Planners;
import dev.sublet.placement.problem.BufferOrder;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.SearchEffort;
import dev.sublet.plan.ExecutionOrder;
import dev.sublet.plan.Pool;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for planning offsets. */
public final class PlanningFlags {

  @Option(
      names = "--planner",
      paramLabel = "NAME",
      completionCandidates = PlannerNames.class,
      description =
          "The planner: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}. Example: "
              + "--planner search.")
  private String planner = OffsetOptions.defaults().planner();

  @Option(
      names = "--align",
      paramLabel = "BYTES",
      converter = ByteSize.class,
      description =
          "Make every offset a multiple of this number, such as 64 or 4KiB, at most "
              + "1GiB. Default: 64. Example: --align 4KiB.")
  private @Nullable Long alignment;

  @Option(names = "--no-in-place", description = "The same as --in-place none.")
  private boolean noInPlace;

  @Option(
      names = "--views",
      paramLabel = "KIND",
      description =
          "Which variables may lie inside others whose bytes they repeat. none: no variable; "
              + "reshape: outputs of reshapes and exact copies; all: also inputs of joins, and "
              + "outputs of splits and slices. Default: reshape. Example: --views all.")
  private Views views = OffsetOptions.defaults().views();

  @Option(
      names = "--capacity",
      paramLabel = "BYTES",
      converter = ByteSize.class,
      description =
          "Fail (exit code 5) if an arena needs more bytes, such as 256KiB. Default: no "
              + "limit. Example: --capacity 256KiB.")
  private long capacity = OffsetOptions.NO_CAPACITY;

  @Option(
      names = "--effort",
      paramLabel = "LEVEL",
      description =
          "How long to search for a smaller arena. low: not at all, only quick planners; normal: "
              + "1000000 nodes, about 1s; high: 10000000; max: 100000000. For a program, normal "
              + "ends within 0.1%% of the lower bound; for a table of buffers there are four "
              + "times as many nodes, and no gap. More effort never gives a larger arena. "
              + "Default: normal. Example: --effort high.")
  private SearchEffort effort = SearchEffort.NORMAL;

  @Option(
      names = "--gap",
      paramLabel = "PERCENT",
      converter = Percentage.class,
      description =
          "End a search when its arena is so close to the lower bound, such as 0.5%%. 0: only "
              + "when it is proved to be the smallest. Default: as --effort says. Example: "
              + "--gap 0.")
  private @Nullable BigDecimal gap;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      converter = WholeNumber.class,
      description =
          "The most nodes that a search visits per arena, from 0. Default: as --effort says. "
              + "Example: --nodes 40000000.")
  private @Nullable Long nodes;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = TimeSpan.class,
      description =
          "The most time that a search takes, such as 5s or 500ms. The result may then "
              + "differ from run to run. Default: no limit. Example: --timeout 5s.")
  private long timeoutMillis = PlannerOptions.defaults().timeoutMillis();

  @Option(
      names = "--buffer-order",
      paramLabel = "ORDER",
      description =
          "The order in which the planners first-fit and best-fit take the buffers: "
              + "size, area, duration, start or conflicts. Default: size. Example: "
              + "--buffer-order area.")
  private BufferOrder bufferOrder = PlannerOptions.defaults().order();

  @Option(
      names = "--order",
      paramLabel = "ORDER",
      description =
          "The executor that runs the program. sequential: runs one operator after the "
              + "other. parallel: may run operators at the same time and keeps only their data "
              + "dependences. Default: sequential. Example: --order parallel.")
  private ExecutionOrder order = OffsetOptions.defaults().order();

  @Option(
      names = "--loops",
      paramLabel = "MODE",
      description =
          "What to do with the values that loops copy from one iteration to the next. "
              + "copy: leave the copies. multiview: give the variables one name; variables "
              + "that must still move from iteration to iteration move in the plan. smallest: "
              + "as multiview, but only if the plan is no larger than with copies. unroll: "
              + "repeat the bodies of loops until no copy is needed. Default: multiview. "
              + "Example: --loops unroll.")
  private LoopMode loops = TranspileOptions.defaults().loops();

  @Option(
      names = "--hierarchical",
      description =
          "Plan each block by itself. In the enclosing block, its arena is one buffer "
              + "that is live while the operator runs the block. Not with --order parallel. "
              + "Default: plan all blocks together, which is rarely larger.")
  private boolean hierarchical;

  @Option(
      names = "--pool",
      paramLabel = "NAME:BYTES",
      converter = PoolFlag.class,
      description =
          "A memory with an arena of its own, such as sram:256KiB; repeatable, the "
              + "fastest first. The variables that operators access most for their size go to "
              + "the fast memories. The last memory may have no BYTES and is then unlimited. "
              + "With --place gpu these are memories of the GPU. Default: one memory. Example: "
              + "--pool sram:256KiB --pool dram.")
  private List<Pool> pools = new ArrayList<>();

  /** The treatment of loop-carried copies. */
  public LoopMode loops() {
    return loops;
  }

  /** Whether an output may take the memory of an input. */
  public boolean inPlace() {
    return !noInPlace;
  }

  /**
   * Returns the options for a program.
   *
   * @throws ProgramException if an option is wrong
   */
  public OffsetOptions options() {
    return options(OffsetOptions.defaults().alignment(), effort.forPrograms());
  }

  private OffsetOptions options(long defaultAlignment, PlannerOptions preset) {
    return new GivenOptions(
            planner,
            alignment == null ? defaultAlignment : alignment,
            inPlace(),
            order,
            views,
            new GivenSearch(
                preset,
                nodes == null ? OptionalLong.empty() : OptionalLong.of(nodes),
                Optional.ofNullable(gap),
                timeoutMillis,
                bufferOrder),
            capacity,
            hierarchical,
            ImmutableList.copyOf(pools))
        .checked(OptionNames.COMMAND_LINE);
  }

  /** Returns the options for a table of buffers, whose rows have alignment 1 by default. */
  public OffsetOptions tableOptions() {
    return options(/* defaultAlignment= */ 1, effort.forTables());
  }

  /** The planners' names, for the help text. */
  static final class PlannerNames implements Iterable<String> {

    @Override
    public java.util.Iterator<String> iterator() {
      return Planners.names().iterator();
    }
  }
}
