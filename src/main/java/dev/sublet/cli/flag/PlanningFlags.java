package dev.sublet.cli.flag;

import com.google.common.collect.ImmutableList;
import dev.sublet.TranspileOptions;
import dev.sublet.cli.argument.ByteSize;
import dev.sublet.cli.argument.TimeSpan;
import dev.sublet.cli.argument.WholeNumber;
import dev.sublet.diag.ProgramException;
import dev.sublet.loop.LoopMode;
import dev.sublet.offset.GivenOptions;
import dev.sublet.offset.OffsetOptions;
import dev.sublet.offset.OptionNames;
import dev.sublet.offset.merge.Views;
import dev.sublet.placement.Planners;
import dev.sublet.placement.problem.BufferOrder;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.plan.ExecutionOrder;
import dev.sublet.plan.Pool;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for planning offsets. */
public final class PlanningFlags {

  @Option(
      names = "--planner",
      paramLabel = "NAME",
      completionCandidates = PlannerNames.class,
      description =
          "The planner: ${COMPLETION-CANDIDATES}."
              + " Default: ${DEFAULT-VALUE}. Example: --planner search.")
  private String planner = OffsetOptions.defaults().planner();

  @Option(
      names = "--align",
      paramLabel = "BYTES",
      converter = ByteSize.class,
      description =
          "Every offset is a multiple of this, such as 64 or 4KiB, up to 1GiB."
              + " Default: 64. Example: --align 4KiB.")
  private @Nullable Long alignment;

  @Option(names = "--no-in-place", description = "The same as --in-place none.")
  private boolean noInPlace;

  @Option(
      names = "--views",
      paramLabel = "KIND",
      description =
          "Which variables may lie in others whose bytes they repeat. none; reshape: outputs of"
              + " reshapes and exact copies; all: also inputs of joins and outputs of splits and"
              + " slices. Default: reshape. Example: --views all.")
  private Views views = OffsetOptions.defaults().views();

  @Option(
      names = "--capacity",
      paramLabel = "BYTES",
      converter = ByteSize.class,
      description =
          "Fail (exit 5) if an arena needs more than this, such as 256KiB."
              + " Default: no limit. Example: --capacity 256KiB.")
  private long capacity = OffsetOptions.NO_CAPACITY;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      converter = WholeNumber.class,
      description =
          "How many nodes a search may visit for one arena, from 0."
              + " Default: ${DEFAULT-VALUE}. Example: --nodes 40000000.")
  private long nodes = PlannerOptions.DEFAULT_NODES;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = TimeSpan.class,
      description =
          "How long a search may take, such as 5s or 500ms; the result may then differ from run to"
              + " run. Default: no limit. Example: --timeout 5s.")
  private long timeoutMillis = PlannerOptions.defaults().timeoutMillis();

  @Option(
      names = "--buffer-order",
      paramLabel = "ORDER",
      description =
          "In which order first-fit and best-fit take the buffers: size, area, duration, start or"
              + " conflicts. Default: size. Example: --buffer-order area.")
  private BufferOrder bufferOrder = PlannerOptions.defaults().order();

  @Option(
      names = "--order",
      paramLabel = "ORDER",
      description =
          "Who runs the program. sequential: an executor that runs one operator after the other."
              + " parallel: one that runs operators at the same time and keeps only their data"
              + " dependences. Default: sequential. Example: --order parallel.")
  private ExecutionOrder order = OffsetOptions.defaults().order();

  @Option(
      names = "--loops",
      paramLabel = "MODE",
      description =
          "What happens to the copies with which loops hand values on. copy: they stay. multiview:"
              + " variables get one name, and those that still had to be copied move from iteration"
              + " to iteration in the plan. smallest: so, but no plan gets larger than with copies."
              + " unroll: the program's loops are repeated until nothing"
              + " has to be copied. Default: multiview. Example: --loops unroll.")
  private LoopMode loops = TranspileOptions.defaults().loops();

  @Option(
      names = "--hierarchical",
      description =
          "Plan each block by itself; in the block around it its arena is one buffer, live as long"
              + " as the operator that runs it. Not with --order parallel. Default: plan all blocks"
              + " together, which rarely needs more.")
  private boolean hierarchical;

  @Option(
      names = "--pool",
      paramLabel = "NAME:BYTES",
      converter = PoolFlag.class,
      description =
          "A memory, such as sram:256KiB; several, the fastest first, get an arena each. What"
              + " operators read and write most for the room it takes goes to the fast ones. The"
              + " last may be without BYTES: it holds any amount. With --place gpu these are"
              + " memories of the GPU."
              + " Default: one memory. Example: --pool sram:256KiB --pool dram.")
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
    return options(OffsetOptions.defaults().alignment());
  }

  private OffsetOptions options(long defaultAlignment) {
    return new GivenOptions(
            planner,
            alignment == null ? defaultAlignment : alignment,
            inPlace(),
            order,
            views,
            nodes,
            timeoutMillis,
            bufferOrder,
            capacity,
            hierarchical,
            ImmutableList.copyOf(pools))
        .checked(OptionNames.COMMAND_LINE);
  }

  /** Returns the options for a table of buffers, whose rows have alignment 1 by default. */
  public OffsetOptions tableOptions() {
    return options(/* defaultAlignment= */ 1);
  }

  /** The planners' names, for the help text. */
  static final class PlannerNames implements Iterable<String> {

    @Override
    public java.util.Iterator<String> iterator() {
      return Planners.names().iterator();
    }
  }
}
