package dev.sublet.cli;

import dev.sublet.diag.ProgramException;
import dev.sublet.offset.OffsetOptions;
import dev.sublet.offset.OffsetPlanner;
import dev.sublet.offset.Views;
import picocli.CommandLine.Option;

/** How offsets are planned. */
final class PlanningFlags {

  @Option(
      names = "--planner",
      paramLabel = "NAME",
      completionCandidates = PlannerNames.class,
      description = "The planner: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private String planner = OffsetOptions.defaults().planner();

  @Option(
      names = "--align",
      paramLabel = "BYTES",
      converter = ByteSize.class,
      description = "Every offset is a multiple of this, such as 64 or 4KiB. Default: 64.")
  private long alignment = OffsetOptions.defaults().alignment();

  @Option(
      names = "--no-in-place",
      description = "Never let an output take the memory of an input that dies at its operator.")
  private boolean noInPlace;

  @Option(
      names = "--views",
      paramLabel = "KIND",
      description =
          "Which variables may lie in others whose bytes they repeat: ${COMPLETION-CANDIDATES}:"
              + " none; outputs of reshapes and exact copies; also inputs of joins and outputs of"
              + " splits and slices. Default: ${DEFAULT-VALUE}.")
  private Views views = OffsetOptions.defaults().views();

  /** Whether an output may take the memory of an input. */
  boolean inPlace() {
    return !noInPlace;
  }

  /**
   * The options.
   *
   * @throws ProgramException if there is no such planner
   */
  OffsetOptions options() {
    if (!OffsetPlanner.plannerNames().contains(planner)) {
      throw ProgramException.usage(
          "--planner is '"
              + planner
              + "', which is none of "
              + String.join(", ", OffsetPlanner.plannerNames()));
    }
    return new OffsetOptions(planner, alignment, inPlace(), views);
  }

  /** The planners' names, for the help text. */
  static final class PlannerNames implements Iterable<String> {

    @Override
    public java.util.Iterator<String> iterator() {
      return OffsetPlanner.plannerNames().iterator();
    }
  }
}
